#include "frontend/java/lowering/sources.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "jvm/classfile/class_attributes.hpp"

namespace lockwood::java {
namespace {

constexpr std::uintmax_t max_source_bytes = 16U << 20U;

std::optional<std::string> text_of(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error) || std::filesystem::file_size(path, error) > max_source_bytes)
    return std::nullopt;
  std::ifstream stream{path, std::ios::binary};
  if (!stream) return std::nullopt;
  return std::string{std::istreambuf_iterator<char>{stream}, {}};
}

bool is_word_byte(char byte) {
  return std::isalnum(static_cast<unsigned char>(byte)) != 0 || byte == '_' || byte == '$';
}

// Where the word is in the line, if it stands there once.
std::optional<std::size_t> only_place(std::string_view line, std::string_view word) {
  std::optional<std::size_t> found;
  for (std::size_t at = line.find(word); at != std::string_view::npos; at = line.find(word, at + 1)) {
    const bool whole = (at == 0 || !is_word_byte(line[at - 1])) &&
                       (at + word.size() == line.size() || !is_word_byte(line[at + word.size()]));
    if (!whole) continue;
    if (found) return std::nullopt;
    found = at;
  }
  return found;
}

}  // namespace

program::SourceFile Sources::file_of(jvm::ClassId type) {
  if (const auto known = by_class_.find(type); known != by_class_.end()) return known->second;
  const std::string_view name = universe_.hierarchy().name(type);
  const jvm::ClassFile* const file = universe_.hierarchy().file(type);
  const std::size_t slash = name.rfind('/');
  const std::string package{slash == std::string_view::npos ? "" : name.substr(0, slash + 1)};
  std::string simple{slash == std::string_view::npos ? name : name.substr(slash + 1)};
  simple = simple.substr(0, simple.find('$')) + ".java";
  if (file != nullptr)
    if (const auto told = jvm::source_file(*file)) simple = *told;
  // The name comes from a class file: it must not lead out of the folders of sources.
  if (simple.find('/') != std::string::npos || simple.find("..") != std::string::npos) simple = "unknown.java";
  const std::string path = package + simple;
  auto found = by_name_.find(path);
  if (found == by_name_.end()) {
    std::string shown = path;
    std::string text;
    const auto known = known_.find(path);
    if (known != known_.end()) text = known->second;
    for (const std::string& root : known == known_.end() ? roots_ : std::vector<std::string>{}) {
      const std::filesystem::path candidate = std::filesystem::path{root} / path;
      if (auto read = text_of(candidate)) {
        shown = candidate.lexically_normal().string();
        text = std::move(*read);
        break;
      }
    }
    const program::SourceFile made = files_.push_back(shown);
    std::vector<std::size_t> begins{0};
    for (std::size_t i = 0; i < text.size(); ++i)
      if (text[i] == '\n') begins.push_back(i + 1);
    texts_.push_back(std::move(text));
    begins_.push_back(std::move(begins));
    found = by_name_.emplace(path, made).first;
  }
  by_class_.emplace(type, found->second);
  return found->second;
}

std::string_view Sources::line_of(program::SourceFile file, std::uint32_t line) {
  const auto& begins = begins_[file];
  if (line == 0 || line > begins.size()) return {};
  const std::string_view text = texts_[file];
  const std::size_t end = line < begins.size() ? begins[line] - 1 : text.size();
  return text.substr(begins[line - 1], end - begins[line - 1]);
}

program::SourceRange Sources::range(const Procedure& procedure, std::optional<std::uint16_t> line,
                                    std::string_view word) {
  const program::SourceFile file = file_of(procedure.owner);
  const std::uint32_t number = line.value_or(1);
  const std::string_view text = line_of(file, number);
  if (!word.empty())
    if (const auto at = only_place(text, word)) {
      const auto column = static_cast<std::uint32_t>(*at + 1);
      return {file, {number, column}, {number, column + static_cast<std::uint32_t>(word.size())}};
    }
  const std::size_t first = std::min(text.find_first_not_of(" \t"), text.size());
  const std::size_t last = text.find_last_not_of(" \t\r");
  const auto begin = static_cast<std::uint32_t>(first + 1);
  const auto end = static_cast<std::uint32_t>(last == std::string_view::npos ? begin : last + 2);
  return {file, {number, begin}, {number, std::max(begin, end)}};
}

}  // namespace lockwood::java
