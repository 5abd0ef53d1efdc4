#include "frontend/cli/input/model_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/process/text_file.hpp"
#include "base/text/sha256.hpp"
#include "dpn/formats/text_format.hpp"
#include "frontend/cli/input/java_input.hpp"
#include "frontend/findings/narrative/source_places.hpp"

namespace lockwood::frontend {

namespace {

constexpr std::size_t max_model_warnings = 20;

void show_warnings(const lw::ProgramText& source, const Run& run) {
  std::size_t shown = 0;
  std::size_t hidden = 0;
  for (const program::Warning& warning : source.warnings) {
    if (std::ranges::find(run.options.program.silenced, warning.code) != run.options.program.silenced.end()) continue;
    if (++shown <= max_model_warnings)
      run.warn(lw::to_diagnostic(source, warning));
    else
      ++hidden;
  }
  if (hidden > 0) run.note(fmt::format("{} more warnings about {}", hidden, source.path));
}

program::Lowered lowered(const lw::ProgramText& source, const Run& run) {
  try {
    return program::lower(source.program, run.options.program.lowering, run.stop);
  } catch (const InputError& error) {
    std::vector<Diagnostic> shown;
    for (const Diagnostic& diagnostic : error.diagnostics()) shown.push_back(lw::with_excerpt(source, diagnostic));
    throw InputError{std::move(shown)};
  }
}

}  // namespace

ProgramModel read_program_model(const std::string& path, std::string text, const Run& run) {
  lw::ProgramText source = lw::read_program(std::move(text), shown_path(path), run.stop);
  show_warnings(source, run);
  run.progress.show("lowering " + path);
  program::Lowered model = lowered(source, run);
  for (std::size_t i = 0; i < model.notes.size() && i < max_model_warnings; ++i)
    run.warn(lw::with_excerpt(source, model.notes[i]));
  IdVector<program::SourceFile, std::string> texts{source.text};
  return {std::move(source), std::move(model), std::move(texts)};
}

namespace {

// All but its identity.
ModelInput model_of(std::string text, const std::string& path, const Run& run) {
  if (lw::is_program(path, text)) {
    ProgramModel program = read_program_model(path, std::move(text), run);
    ModelInput input{.file = {program.lowered.network, {}, {}}, .identity = {}, .program = {}};
    input.program = std::move(program);
    return input;
  }
  ModelInput input{.file = dpn::parse_model(text, path, run.stop), .identity = {}, .program = {}};
  if (run.options.output.sarif || run.options.output.html) input.text = std::move(text);
  return input;
}

}  // namespace

namespace {

// Commands that need the program's values, or follow them.
void refuse_java(const std::string& path, const Run& run) {
  constexpr std::array<std::string_view, 3> commands = {"repro", "explore", "replay"};
  if (std::ranges::find(commands, run.command) == commands.end()) return;
  throw InputError{
      path, fmt::format("this is a Java program, and 'lockwood {}' does not read these; race, deadlock, "
                        "defuse, dataflow, flow, mhp, guards, reach, conflict, iterate, batch, query, repl, simulate, "
                        "lower and show do",
                        run.command)};
}

ModelInput model_of_java(const std::string& path, const Run& run, const JavaWishes& wishes) {
  refuse_java(path, run);
  ProgramModel program = read_java_model(path, run, wishes);
  ModelInput input{.file = {program.lowered.network, {}, {}}, .identity = {}, .program = {}};
  input.program = std::move(program);
  return input;
}

}  // namespace

ModelInput read_model(const std::string& path, const Run& run, const JavaWishes& wishes) {
  run.progress.show("reading " + path);
  std::optional<std::string> digest;
  ModelInput input = [&] {
    if (path != "-" && is_java_input(path)) {
      ModelInput made = model_of_java(path, run, wishes);
      // What a jar holds beside the program does not count.
      if (run.options.output.json || run.options.output.html) digest = sha256(dpn::to_dpn(made.file.network, {}));
      return made;
    }
    std::string text = read_text_file(path, run.stop);
    const OutputOptions& output = run.options.output;
    if (output.json || output.html || output.svcomp) digest = sha256(text);
    return model_of(std::move(text), path, run);
  }();
  for (const Diagnostic& warning : input.file.warnings) run.warn(warning);
  const dpn::Network& network = input.file.network;
  input.identity = {.path = path,
                    .sha256 = std::move(digest),
                    .rules = network.rules().size(),
                    .locks = network.locks().size(),
                    .symbols = network.stack_symbols().size()};
  run.stop.check();
  return input;
}

std::string model_fingerprint(const dpn::Network& network, StopToken stop) {
  constexpr std::size_t digits = 16;
  return sha256(dpn::to_dpn(network, {}, {}, stop)).substr(0, digits);
}

std::string with_symbols(const ModelInput& model, const std::string& query) {
  if (!model.program) return query;
  const ProgramModel& program = *model.program;
  const lw::ProgramText& source = program.source;
  return findings::with_symbols({.program = source.program, .lowered = program.lowered, .path = source.path}, query);
}

std::vector<dpn::Query> selected_queries(const ModelInput& model, const std::vector<std::size_t>& numbers) {
  const auto& all = model.file.queries;
  if (numbers.empty()) return all;
  std::vector<dpn::Query> selected;
  for (std::size_t number : numbers) {
    if (number == 0 || number > all.size())
      throw InputError{model.identity.path, fmt::format("there is no query {}, only {} in all", number, all.size())};
    selected.push_back(all[number - 1]);
  }
  return selected;
}

}  // namespace lockwood::frontend
