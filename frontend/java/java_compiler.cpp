#include "frontend/java/java_compiler.hpp"

#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <filesystem>

#include "base/text/printable.hpp"

namespace lockwood::java {
namespace fs = std::filesystem;
namespace {

bool is_executable(const std::string& path) { return access(path.c_str(), X_OK) == 0 && !fs::is_directory(path); }

std::string joined(const std::vector<std::string>& entries) {
  std::string text;
  for (const std::string& entry : entries) text += (text.empty() ? "" : ":") + entry;
  return text;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

// "A.java:12: error: …", and the line with its caret behind it.
std::optional<Diagnostic> diagnostic_of(const std::vector<std::string>& lines, std::size_t at) {
  const std::string& line = lines[at];
  constexpr std::string_view mark = ": error: ";
  const std::size_t end = line.find(mark);
  if (end == std::string::npos) return std::nullopt;
  Diagnostic diagnostic;
  diagnostic.message = printable(line.substr(end + mark.size()));
  diagnostic.file = line.substr(0, end);
  if (const std::size_t colon = diagnostic.file.rfind(':'); colon != std::string::npos) {
    std::uint32_t number = 0;
    const char* const last = line.data() + end;
    const auto [stop, error] = std::from_chars(line.data() + colon + 1, last, number);
    if (error == std::errc{} && stop == last) {
      diagnostic.at = Position{number, 1};
      diagnostic.file.resize(colon);
    }
  }
  for (std::size_t next = at + 1; next < lines.size() && next < at + 4 && next >= 1; ++next) {
    const std::size_t caret = lines[next].find('^');
    if (caret == std::string::npos || lines[next].find_first_not_of(' ') != caret || next < at + 2) continue;
    diagnostic.excerpt = printable(lines[next - 1]);
    diagnostic.caret = caret;
    if (diagnostic.at) diagnostic.at->column = static_cast<std::uint32_t>(caret + 1);
  }
  return diagnostic;
}

}  // namespace

std::optional<std::string> find_javac(const std::optional<std::string>& jdk) {
  if (jdk) {
    const std::string path = *jdk + "/bin/javac";
    return is_executable(path) ? std::optional{path} : std::nullopt;
  }
  if (const char* home = std::getenv("JAVA_HOME"); home != nullptr && *home != 0)
    if (const std::string path = std::string{home} + "/bin/javac"; is_executable(path)) return path;
  const char* all = std::getenv("PATH");
  std::string_view rest = all == nullptr ? "" : all;
  while (!rest.empty()) {
    const std::size_t colon = std::min(rest.find(':'), rest.size());
    const std::string path = std::string{rest.substr(0, colon)} + "/javac";
    if (colon > 0 && is_executable(path)) return path;
    rest.remove_prefix(std::min(rest.size(), colon + 1));
  }
  return std::nullopt;
}

std::vector<std::string> command_of(const std::string& javac, const Compilation& compilation) {
  std::vector<std::string> words{javac,
                                 "-g",
                                 "-proc:none",
                                 "-nowarn",
                                 "-Xlint:none",
                                 "-encoding",
                                 "UTF-8",
                                 "-Xmaxerrs",
                                 "100",
                                 "-d",
                                 compilation.output,
                                 "-sourcepath",
                                 joined(compilation.source_path),
                                 "-cp",
                                 compilation.class_path.empty() ? compilation.output : joined(compilation.class_path)};
  words.insert(words.end(), compilation.sources.begin(), compilation.sources.end());
  return words;
}

std::vector<Diagnostic> errors_of_javac(const std::string& printed) {
  const std::vector<std::string> lines = lines_of(printed);
  std::vector<Diagnostic> found;
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (auto diagnostic = diagnostic_of(lines, i)) found.push_back(*std::move(diagnostic));
  return found;
}

}  // namespace lockwood::java
