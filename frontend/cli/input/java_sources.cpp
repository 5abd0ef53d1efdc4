#include "frontend/cli/input/java_sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

namespace lockwood::frontend {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t max_newer = 3;

Diagnostic source_warning(std::string file, std::string message, std::string hint) {
  return {.severity = Severity::Warning,
          .file = std::move(file),
          .message = std::move(message),
          .excerpt = {},
          .hint = std::move(hint)};
}

// The file that holds the class of the same name as a source: in a folder its own, of a jar the jar.
std::optional<fs::path> class_file_of(const JavaInput& input, const std::string& source) {
  for (const std::string& root : input.source_path) {
    std::string name = fs::path{source}.lexically_relative(root).string();
    if (name.empty() || name.starts_with("..") || !name.ends_with(".java")) continue;
    name.resize(name.size() - std::string_view{".java"}.size());
    const auto archive = input.program.application->archive_of(name);
    if (!archive) continue;
    const std::string origin = input.program.application->archives()[*archive].origin();
    if (fs::is_directory(origin)) return fs::path{origin} / (name + ".class");
    return fs::path{origin.substr(0, origin.find("!/"))};
  }
  return std::nullopt;
}

// Who compiles again gets the lines right.
void warn_of_newer(const JavaInput& input, const java::JavaModel& model, const Run& run) {
  std::size_t newer = 0;
  for (program::SourceFile file : model.texts.keys()) {
    if (model.texts[file].empty()) continue;
    const std::string& source = model.program.files[file];
    const auto compiled = class_file_of(input, source);
    std::error_code error;
    if (!compiled || fs::last_write_time(source, error) <= fs::last_write_time(*compiled, error) || error) continue;
    if (++newer <= max_newer)
      run.warn(source_warning(source, "is newer than its class: lines may be wrong", "compile it again"));
  }
  if (newer > max_newer) run.note(fmt::format("{} more sources are newer than their classes", newer - max_newer));
}

// Classes that were compiled without lines have findings nevertheless, but nobody can go to their places.
void warn_of_missing_lines(const JavaInput& input, const java::PointsTo& flow, const Run& run) {
  std::size_t with_lines = 0;
  std::size_t without = 0;
  for (const java::Procedure& procedure : flow.universe().procedures()) {
    if (!procedure.code || !flow.universe().is_application(procedure.owner)) continue;
    const auto& instructions = procedure.code->body.instructions;
    const bool has = std::ranges::any_of(instructions, [](const auto& each) { return each.line.has_value(); });
    ++(has ? with_lines : without);
  }
  if (without == 0) return;
  if (with_lines == 0)
    run.warn(source_warning(input.program.path, "its classes do not tell lines: places are methods only",
                            "compile it with javac -g"));
  else if (run.options.general.verbose)
    run.note(fmt::format("{} of {} methods do not tell lines", without, with_lines + without));
}

}  // namespace

void warn_of_sources(const JavaInput& input, const java::PointsTo& flow, const java::JavaModel& model, const Run& run) {
  warn_of_missing_lines(input, flow, run);
  if (!input.folder) warn_of_newer(input, model, run);
}

}  // namespace lockwood::frontend
