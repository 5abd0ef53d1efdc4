#include "frontend/cli/input/java_compilation.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "base/process/child_process.hpp"
#include "base/process/text_file.hpp"
#include "base/text/printable.hpp"
#include "frontend/java/java_program.hpp"
#include "frontend/java/source_files.hpp"

namespace lockwood::frontend {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t max_errors = 20;

bool is_executable(const std::string& path) { return access(path.c_str(), X_OK) == 0 && !fs::is_directory(path); }

// The one of the JDK that is asked for, of JAVA_HOME, or on the path.
std::optional<std::string> javac(const std::optional<std::string>& jdk) {
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

std::string joined(const std::vector<std::string>& entries) {
  std::string text;
  for (const std::string& entry : entries) text += (text.empty() ? "" : ":") + entry;
  return text;
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

[[noreturn]] void refuse_source(const std::string& path, const std::string& printed) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < printed.size();) {
    const std::size_t end = std::min(printed.find('\n', begin), printed.size());
    lines.push_back(printed.substr(begin, end - begin));
    begin = end + 1;
  }
  std::vector<Diagnostic> found;
  std::size_t more = 0;
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (auto diagnostic = diagnostic_of(lines, i)) {
      if (found.size() < max_errors)
        found.push_back(*std::move(diagnostic));
      else
        ++more;
    }
  if (found.empty())
    found.push_back({.file = path, .message = "javac does not compile it: " + printable(printed), .excerpt = {}});
  found.back().hint = fmt::format("{}classes that the source needs are named by -cp, their sources by --source-path",
                                  more > 0 ? fmt::format("{} more errors; ", more) : "");
  throw InputError{std::move(found)};
}

}  // namespace

bool is_java_source(const std::string& path) {
  std::error_code unknown;
  if (path.ends_with(".java")) return true;
  return fs::is_directory(path, unknown) && !java::is_java_program(path) && !java::sources_in(path).empty();
}

CompiledSources compile_java(const std::string& path, const Run& run) {
  const JavaInputOptions& options = run.options.program.java;
  CompiledSources compiled{.folder = nullptr, .root = {}};
  const bool is_folder = fs::is_directory(path);
  const std::vector<std::string> sources = is_folder ? java::sources_in(path) : std::vector<std::string>{path};
  const std::string text = read_text_file(sources.front(), run.stop);
  compiled.root = java::source_root(sources.front(), text);
  if (!is_folder) {
    const std::string package = java::package_of(text);
    compiled.main = (package.empty() ? "" : package + ".") + fs::path{path}.stem().string();
  }
  const auto compiler = javac(options.surroundings.jdk);
  if (!compiler)
    throw InputError{{Diagnostic{.file = path,
                                 .message = "this is a source, and there is no javac to compile it",
                                 .excerpt = {},
                                 .hint = "name a folder of classes or a jar instead, or a JDK by --jdk=DIR"}}};
  compiled.folder = std::make_shared<TemporaryFolder>();
  const std::string& folder = compiled.folder->path();
  std::vector<std::string> roots = options.lowering.source_path;
  roots.push_back(compiled.root);
  std::vector<std::string> words{
      *compiler,
      "-g",
      "-proc:none",
      "-nowarn",
      "-Xlint:none",
      "-encoding",
      "UTF-8",
      "-Xmaxerrs",
      "100",
      "-d",
      folder,
      "-sourcepath",
      joined(roots),
      "-cp",
      options.surroundings.class_path.empty() ? folder : joined(options.surroundings.class_path)};
  words.insert(words.end(), sources.begin(), sources.end());
  run.progress.show("compiling " + path);
  const auto output = run_program(words, run.stop);
  run.stop.check();
  if (!output || !WIFEXITED(output->status) || WEXITSTATUS(output->status) != 0)
    refuse_source(path, output ? output->text : "it was stopped");
  return compiled;
}

}  // namespace lockwood::frontend
