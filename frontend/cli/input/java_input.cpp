#include "frontend/cli/input/java_input.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "base/process/text_file.hpp"
#include "frontend/java/facts/facts.hpp"
#include "frontend/java/java_program.hpp"
#include "frontend/java/library/model_reader.hpp"
#include "frontend/java/lowering/java_model.hpp"

namespace lockwood::frontend {
namespace {

constexpr std::size_t max_warnings = 20;

// Without --source-path, sources are looked for where the program is.
std::vector<std::string> source_folders(const std::string& path, const JavaInputOptions& options) {
  if (!options.lowering.source_path.empty()) return options.lowering.source_path;
  std::error_code error;
  const std::filesystem::path program{path};
  const std::filesystem::path folder =
      std::filesystem::is_directory(program, error) ? program : program.parent_path();
  return {folder.empty() ? "." : folder.string()};
}

// Of each kind, how many; gaps in words.
void tell_assumptions(const java::JavaModel& model, const Run& run) {
  std::size_t gaps = 0;
  std::size_t others = 0;
  for (const auto& [assumption, times] : model.assumptions)
    ++(assumption.kind == java::AssumptionKind::Gap ? gaps : others);
  if (gaps > 0)
    run.note(fmt::format("{} {} of the program cannot be seen: what is excluded is excluded except for {}{}", gaps,
                         gaps == 1 ? "part" : "parts", gaps == 1 ? "it" : "these",
                         run.options.general.verbose ? "" : "; --verbose lists them"));
  if (!run.options.general.verbose) return;
  for (const auto& [assumption, times] : model.assumptions)
    run.note(fmt::format("{}: {}{}{}", java::to_string(assumption.kind), assumption.text,
                         assumption.place.empty() ? "" : ", at " + assumption.place,
                         times > 1 ? fmt::format(" ({} times)", times) : ""));
}

}  // namespace

java::library::Library read_library_models(const std::vector<std::string>& paths) {
  std::vector<java::library::ModelText> texts;
  for (const std::string& path : paths) texts.push_back({path, read_text_file(path)});
  return java::library::library_with(std::move(texts));
}

ProgramModel read_java_model(const std::string& path, const Run& run) {
  const JavaInputOptions& options = run.options.program.java;
  run.progress.show("opening " + path);
  java::JavaProgram program = java::open_java_program(path, options.surroundings);
  for (std::size_t i = 0; i < program.warnings.size() && i < max_warnings; ++i) run.warn(program.warnings[i]);
  const java::library::Library models = read_library_models(options.models);
  run.progress.show("finding objects and calls of " + path);
  const java::PointsTo flow = java::points_to(program, models, options.analysis, run.stop);
  run.progress.show("finding facts about " + path);
  const java::Facts facts{flow, run.stop};
  java::JavaLoweringOptions lowering = options.lowering;
  lowering.source_path = source_folders(path, options);
  run.progress.show("lowering " + path);
  java::JavaModel model = java::java_model(facts, lowering, run.stop);
  tell_assumptions(model, run);
  lw::ProgramText source;
  source.path = path;
  source.program = std::move(model.program);
  program::Lowered lowered = program::lower(source.program, run.options.program.lowering, run.stop);
  return {std::move(source), std::move(lowered), std::move(model.texts)};
}

}  // namespace lockwood::frontend
