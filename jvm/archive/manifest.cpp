#include "jvm/archive/manifest.hpp"

#include <algorithm>
#include <cassert>
#include <filesystem>

namespace lockwood::jvm {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Names of attributes are ASCII, and their case does not matter.
bool same_name(std::string_view a, std::string_view b) { return std::ranges::equal(a, b, {}, lower, lower); }

// Takes the next line, which ends by "\r\n", "\n", "\r" or the end of the text.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
  const std::string_view line = text.substr(0, end);
  const std::size_t ending = end == text.size() ? 0 : text.substr(end).starts_with("\r\n") ? 2 : 1;
  text.remove_prefix(end + ending);
  return line;
}

// Takes the next attribute with the lines that continue it: a line has at most 72 bytes, and goes on in lines that
// begin with a blank. Empty at the end of the section.
std::string take_attribute(std::string_view& text) {
  std::string attribute{take_line(text)};
  while (!attribute.empty() && text.starts_with(' ')) {
    text.remove_prefix(1);
    attribute += take_line(text);
  }
  return attribute;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (true) {
    const std::size_t begin = text.find_first_not_of(' ');
    if (begin == std::string_view::npos) return words;
    text.remove_prefix(begin);
    const std::size_t end = std::min(text.find(' '), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

std::optional<unsigned> hexadecimal(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (lower(c) >= 'a' && lower(c) <= 'f') return static_cast<unsigned>(lower(c) - 'a' + 10);
  return std::nullopt;
}

std::optional<std::string> decoded(std::string_view url) {
  std::string path;
  for (std::size_t i = 0; i < url.size(); ++i) {
    if (url[i] != '%') {
      path += url[i];
      continue;
    }
    if (i + 2 >= url.size()) return std::nullopt;
    const auto high = hexadecimal(url[i + 1]);
    const auto low = hexadecimal(url[i + 2]);
    if (!high || !low) return std::nullopt;
    path += static_cast<char>(*high * 16 + *low);
    i += 2;
  }
  if (path.find('\0') != std::string::npos) return std::nullopt;
  return path;
}

// `http`, for "http:…": a letter, then letters, digits and "+-.", then a colon.
std::string_view scheme_of(std::string_view url) {
  const std::size_t colon = url.find(':');
  if (colon == std::string_view::npos || colon == 0) return {};
  const std::string_view scheme = url.substr(0, colon);
  const auto is_letter = [](char c) { return lower(c) >= 'a' && lower(c) <= 'z'; };
  const auto fits = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.'; };
  return is_letter(scheme.front()) && std::ranges::all_of(scheme, fits) ? scheme : std::string_view{};
}

}  // namespace

Manifest parse_manifest(std::string_view text) {
  Manifest manifest;
  while (!text.empty()) {
    const std::string attribute = take_attribute(text);
    if (attribute.empty()) break;  // the other sections are about single entries
    const std::size_t colon = attribute.find(':');
    if (colon == std::string::npos) continue;
    const std::string_view name = std::string_view{attribute}.substr(0, colon);
    const std::string_view value = trimmed(std::string_view{attribute}.substr(colon + 1));
    if (same_name(name, "Main-Class")) manifest.main_class = value;
    if (same_name(name, "Start-Class")) manifest.start_class = value;
    if (same_name(name, "Class-Path")) manifest.class_path = words_of(value);
    if (same_name(name, "Multi-Release")) manifest.multi_release = same_name(value, "true");
  }
  return manifest;
}

std::optional<std::string> path_of_url(std::string_view url, const std::string& folder) {
  url = url.substr(0, url.find('#'));  // a fragment is not part of the path; npos takes all
  const std::string_view scheme = scheme_of(url);
  if (!scheme.empty()) {
    if (!same_name(scheme, "file")) return std::nullopt;
    url.remove_prefix(scheme.size() + 1);
    if (url.starts_with("//")) {  // file://host/path: only without a host it is here
      url.remove_prefix(2);
      if (!url.starts_with('/')) return std::nullopt;
    }
  }
  const std::optional<std::string> path = decoded(url);
  if (!path || path->empty()) return std::nullopt;
  assert(path->find('\0') == std::string::npos);
  return (std::filesystem::path{folder} / *path).lexically_normal().string();
}

}  // namespace lockwood::jvm
