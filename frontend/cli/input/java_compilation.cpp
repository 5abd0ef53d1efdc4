#include "frontend/cli/input/java_compilation.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "base/process/child_process.hpp"
#include "base/process/text_file.hpp"
#include "base/text/printable.hpp"
#include "frontend/java/java_compiler.hpp"
#include "frontend/java/java_program.hpp"
#include "frontend/java/source_files.hpp"

namespace lockwood::frontend {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t max_errors = 20;

[[noreturn]] void refuse_source(const std::string& path, const std::string& printed) {
  std::vector<Diagnostic> found = java::errors_of_javac(printed);
  const std::size_t more = found.size() - std::min(found.size(), max_errors);
  found.resize(found.size() - more);
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
  const auto compiler = java::find_javac(options.surroundings.jdk);
  if (!compiler)
    throw InputError{{Diagnostic{.file = path,
                                 .message = "this is a source, and there is no javac to compile it",
                                 .excerpt = {},
                                 .hint = "name a folder of classes or a jar instead, or a JDK by --jdk=DIR"}}};
  compiled.folder = std::make_shared<TemporaryFolder>();
  java::Compilation compilation{.sources = sources,
                                .source_path = options.lowering.source_path,
                                .class_path = options.surroundings.class_path,
                                .output = compiled.folder->path()};
  compilation.source_path.push_back(compiled.root);
  run.progress.show("compiling " + path);
  const auto output = run_program(java::command_of(*compiler, compilation), run.stop);
  run.stop.check();
  if (!output || !WIFEXITED(output->status) || WEXITSTATUS(output->status) != 0)
    refuse_source(path, output ? output->text : "it was stopped");
  return compiled;
}

}  // namespace lockwood::frontend
