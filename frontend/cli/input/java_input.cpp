#include "frontend/cli/input/java_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/process/text_file.hpp"
#include "frontend/cli/input/java_compilation.hpp"
#include "frontend/cli/input/java_sources.hpp"
#include "frontend/java/client/client_code.hpp"
#include "frontend/java/facts/facts.hpp"
#include "frontend/java/facts/guarded_by.hpp"
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
  const std::filesystem::path folder = std::filesystem::is_directory(program, error) ? program : program.parent_path();
  return {folder.empty() ? "." : folder.string()};
}

// As findings have them.
std::vector<findings::Assumption> assumptions_of(const java::JavaModel& model) {
  std::vector<findings::Assumption> assumptions;
  for (const auto& [assumption, use] : model.assumptions) {
    findings::Assumption made{
        .kind = java::to_string(assumption.kind), .place = assumption.place, .text = assumption.text};
    // Copies of methods are no concern of the reader.
    made.times = std::max<std::size_t>(1, use.lines.size());
    for (const auto& [file, line] : use.lines) made.met.emplace_back(model.program.files[file], line);
    std::ranges::sort(made.met);
    assumptions.push_back(std::move(made));
  }
  // What is met most often comes first among those of a kind.
  std::ranges::stable_sort(assumptions, [](const findings::Assumption& a, const findings::Assumption& b) {
    return std::pair{!a.is_gap(), b.times} < std::pair{!b.is_gap(), a.times};
  });
  return assumptions;
}

// Gaps in words; all of it if details are asked for.
void report_assumptions(const std::vector<findings::Assumption>& assumptions, const Run& run) {
  const auto gaps = std::ranges::count_if(assumptions, &findings::Assumption::is_gap);
  if (gaps > 0)
    run.note(fmt::format("{} {} of the program cannot be seen: what is excluded is excluded except for {}{}", gaps,
                         gaps == 1 ? "part" : "parts", gaps == 1 ? "it" : "these",
                         run.options.general.verbose ? "" : "; --verbose lists them"));
  if (!run.options.general.verbose) return;
  for (const findings::Assumption& each : assumptions)
    run.note(fmt::format("{}: {}{}{}", each.kind, each.text, each.place.empty() ? "" : ", at " + each.place,
                         each.times > 1 ? fmt::format(" (in {} lines)", each.times) : ""));
}

}  // namespace

bool is_java_input(const std::string& path) { return java::is_java_program(path) || is_java_source(path); }

namespace {

JavaInput opened(const std::string& path, const Run& run) {
  const JavaInputOptions& options = run.options.program.java;
  run.progress.show("opening " + path);
  if (!is_java_source(path))
    return {.folder = nullptr,
            .program = java::open_java_program(path, options.surroundings),
            .source_path = source_folders(path, options)};
  CompiledSources compiled = compile_java(path, run);
  JavaInput input{.folder = compiled.folder,
                  .program = java::open_java_program(compiled.folder->path(), options.surroundings),
                  .source_path = options.lowering.source_path};
  input.program.path = path;
  input.program.preferred_main = compiled.main;
  input.source_path.push_back(compiled.root);
  return input;
}

}  // namespace

JavaInput open_java_input(const std::string& path, const Run& run) {
  const JavaInputOptions& options = run.options.program.java;
  if (!options.library.wanted && !options.library.entries.empty())
    throw InputError{"lockwood", "--entry says which methods of a library are called: it needs --library"};
  if (options.library.wanted && options.analysis.main)
    throw InputError{"lockwood", "--library makes a main up: it does not go with --main"};
  JavaInput input = opened(path, run);
  if (options.library.wanted) input.client = java::add_library_client(input.program, options.library, run.stop);
  return input;
}

java::library::Library models_for(const JavaInput& input, const Run& run) {
  std::vector<java::library::ModelText> texts;
  for (const std::string& path : run.options.program.java.models) texts.push_back({path, read_text_file(path)});
  if (input.client) texts.push_back(input.client->models);
  return java::library::library_with(std::move(texts));
}

java::PointsToOptions analysis_of(const JavaInput& input, const Run& run) {
  java::PointsToOptions analysis = run.options.program.java.analysis;
  if (input.client) analysis.main = input.client->main;
  return analysis;
}

ProgramModel read_java_model(const std::string& path, const Run& run, const JavaWishes& wishes) {
  const JavaInputOptions& options = run.options.program.java;
  JavaInput input = open_java_input(path, run);
  for (std::size_t i = 0; i < input.program.warnings.size() && i < max_warnings; ++i)
    run.warn(input.program.warnings[i]);
  const java::library::Library models = models_for(input, run);
  run.progress.show("finding objects and calls of " + path);
  const java::PointsTo flow = java::points_to(input.program, models, analysis_of(input, run), run.stop);
  run.progress.show("finding facts about " + path);
  const java::Facts facts{flow, run.stop};
  java::JavaLoweringOptions lowering = options.lowering;
  lowering.source_path = input.source_path;
  if (input.client) {
    lowering.texts[input.client->source] = input.client->text;
    lowering.client = java::ClientCode::name;
  }
  if (run.command == "defuse" || run.command == "dataflow") lowering.accesses = java::ModelledAccesses::All;
  if (wishes.prepare) wishes.prepare(flow.universe(), lowering);
  run.progress.show("lowering " + path);
  java::JavaModel model = java::java_model(facts, lowering, run.stop);
  warn_of_sources(input, flow, model, run);
  std::vector<findings::Assumption> assumptions = assumptions_of(model);
  report_assumptions(assumptions, run);
  if (wishes.made) wishes.made(model);
  lw::ProgramText source;
  source.path = path;
  source.program = std::move(model.program);
  program::Lowered lowered = program::lower(source.program, run.options.program.lowering, run.stop);
  return {std::move(source), std::move(lowered), std::move(model.texts), std::move(assumptions),
          java::guarded_by(flow)};
}

}  // namespace lockwood::frontend
