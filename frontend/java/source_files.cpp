#include "frontend/java/source_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/text/diagnostic.hpp"
#include "frontend/java/source_comments.hpp"

namespace lockwood::java {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t max_sources = 20'000;

}  // namespace

std::string package_of(std::string_view source) {
  std::string code{source};
  for (const SourceComment& comment : comments_of(source)) {
    // The marks of the comment stay: they are not a part of any word.
    const auto begin = static_cast<std::size_t>(comment.text.data() - source.data());
    std::fill_n(code.begin() + static_cast<std::ptrdiff_t>(begin), comment.text.size(), ' ');
  }
  constexpr std::string_view gaps = " \t\r\n\f/*";
  std::string_view rest = code;
  if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
  rest.remove_prefix(std::min(rest.find_first_not_of(gaps), rest.size()));
  constexpr std::string_view keyword = "package";
  if (!rest.starts_with(keyword) || rest.find_first_of(gaps) != keyword.size()) return {};
  rest = rest.substr(keyword.size(), rest.find(';') - keyword.size());
  std::string name;
  for (char c : rest)
    if (gaps.find(c) == std::string_view::npos) name += c;
  return name;
}

std::string source_root(const std::string& path, std::string_view source) {
  const fs::path folder = fs::path{path}.parent_path();
  std::string package = package_of(source);
  std::ranges::replace(package, '.', '/');
  const std::string text = folder.string();
  if (package.empty()) return text.empty() ? "." : text;
  if (text == package) return ".";
  if (!text.ends_with('/' + package)) return text.empty() ? "." : text;
  return text.substr(0, text.size() - package.size() - 1);
}

std::vector<std::string> sources_in(const std::string& folder) {
  std::vector<std::string> sources;
  std::error_code error;
  fs::recursive_directory_iterator files{folder, fs::directory_options::skip_permission_denied, error};
  for (; !error && files != fs::recursive_directory_iterator{}; files.increment(error)) {
    const std::string name = files->path().filename().string();
    if (!name.ends_with(".java") || name == "package-info.java" || name == "module-info.java") continue;
    if (sources.size() == max_sources)
      throw InputError{folder, fmt::format("there are more than {} sources in it", max_sources)};
    sources.push_back(files->path().string());
  }
  std::ranges::sort(sources);
  return sources;
}

}  // namespace lockwood::java
