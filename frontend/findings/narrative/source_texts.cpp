#include "frontend/findings/narrative/source_texts.hpp"

#include <algorithm>
#include <utility>

namespace lockwood::findings {

void SourceTexts::add(std::string path, std::string text) {
  File file{.text = std::move(text), .begins = {0}};
  for (std::size_t i = 0; i < file.text.size(); ++i)
    if (file.text[i] == '\n') file.begins.push_back(i + 1);
  files_.insert_or_assign(std::move(path), std::move(file));
}

std::vector<std::string> SourceTexts::paths() const {
  std::vector<std::string> paths;
  for (const auto& [path, file] : files_) paths.push_back(path);
  return paths;
}

std::optional<std::string_view> SourceTexts::text(const std::string& path) const {
  const auto known = files_.find(path);
  return known == files_.end() ? std::nullopt : std::optional<std::string_view>{known->second.text};
}

std::string_view SourceTexts::line(const File& file, std::size_t number) {
  const std::size_t begin = file.begins[number - 1];
  const std::size_t end = number < file.begins.size() ? file.begins[number] - 1 : file.text.size();
  std::string_view found = std::string_view{file.text}.substr(begin, end - begin);
  if (found.ends_with('\r')) found.remove_suffix(1);
  return found;
}

std::vector<std::string_view> SourceTexts::lines(const std::string& path) const {
  const File& file = files_.at(path);
  std::vector<std::string_view> all;
  for (std::size_t number = 1; number <= file.begins.size(); ++number) all.push_back(line(file, number));
  if (!all.empty() && all.back().empty()) all.pop_back();  // after the last end of line
  return all;
}

Diagnostic SourceTexts::remark(const SourceSpan& place, Severity severity, std::string message) const {
  Diagnostic remark{.severity = severity, .file = place.file, .message = std::move(message), .excerpt = {}, .hint = {}};
  if (place.begin.line == 0) return remark;
  remark.at = place.begin;
  const auto known = files_.find(place.file);
  if (known == files_.end() || place.begin.line > known->second.begins.size()) return remark;
  const File& file = known->second;
  const std::string_view quoted = line(file, place.begin.line);
  const std::size_t before = std::min<std::size_t>(place.begin.column - 1, quoted.size());
  const std::size_t end = place.end.line == place.begin.line
                              ? std::clamp<std::size_t>(place.end.column - 1, before, quoted.size())
                              : quoted.size();
  // Of this line alone: thousands of findings in a large file should not count its lines each time.
  Diagnostic found = diagnostic_at(place.file, quoted, before, end - before, std::move(remark.message));
  found.at->line = place.begin.line;
  found.severity = severity;
  return found;
}

Position SourceTexts::in_characters(const std::string& path, Position position) const {
  const auto known = files_.find(path);
  if (known == files_.end() || position.line == 0 || position.line > known->second.begins.size()) return position;
  const std::string_view before = line(known->second, position.line).substr(0, position.column - 1);
  const auto continued =
      std::ranges::count_if(before, [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; });
  return {position.line, position.column - static_cast<std::uint32_t>(continued)};
}

}  // namespace lockwood::findings
