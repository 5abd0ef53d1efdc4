#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>

#include "base/process/text_file.hpp"
#include "base/text/sha256.hpp"
#include "explorer/trace/trace_file.hpp"
#include "frontend/cli/answering/verdict_status.hpp"
#include "frontend/cli/commands/commands.hpp"
#include "frontend/cli/input/line_reader.hpp"
#include "frontend/cli/input/program_input.hpp"
#include "frontend/cli/output/report_writer.hpp"
#include "frontend/findings/explored_finding.hpp"
#include "frontend/findings/narrative/narrated_run.hpp"
#include "solver/analyses/solve.hpp"

namespace lockwood::frontend {
namespace {

struct ReplayOptions {
  CommonOptions common;
  std::string path;
  std::optional<std::string> program;
  bool step = false;
};

void declare(CLI::App& app, ReplayOptions& options) {
  app.add_option("TRACE", options.path, "a run that lockwood explore --traces wrote; - is standard input")
      ->required()
      ->type_name("TRACE")
      ->group(section::input);
  app.add_option("--program", options.program, "the program, if it is not where the trace says")
      ->type_name("FILE")
      ->group(section::input);
  declare_program_options(app, options.common.program);
  app.add_flag("--step", options.step,
               "all variables and locks after each step; on a terminal, waits for Enter in between, and q ends it")
      ->group(section::output);
  declare_limits(app, options.common.limits);
  declare_report(app, options.common.output);
  declare_finding_files(app, options.common.output);
  declare_finding_verdict(app, options.common.verdict);
  declare_general(app, options.common.general);
}

// "x = 1, y = 0", "m is held by main.1"
std::vector<std::string> state_text(const program::Program& program, const program::RunState& state) {
  std::vector<std::string> values;
  for (program::Variable variable : program.variables.keys())
    values.push_back(fmt::format("{} = {}", program.variables[variable].name, state.values[variable.index()]));
  std::vector<std::string> lines;
  if (!values.empty()) lines.push_back(fmt::format("      {}", fmt::join(values, ", ")));
  for (program::Lock lock : program.locks.keys())
    if (const auto& owner = state.owners[lock.index()])
      lines.push_back(fmt::format("      {} is held by {}", program.locks[lock].name, *owner));
  return lines;
}

// Somebody is there to read one step after the other.
bool is_dialogue(const OutputOptions& output) {
  return !output.json && output.path == "-" && isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0;
}

void show_steps(const ProgramInput& input, const program::NarratedRun& told, const explorer::Trace& trace,
                bool dialogue, ReportWriter& writer, StopToken stop) {
  LineReader lines{STDIN_FILENO, stop};
  const findings::SourceTerms terms = input.terms();
  const auto steps = findings::narrated_steps(terms, told);
  const auto states = program::states_of(input.program(), trace);
  Listing listing{.key = "steps", .title = {}, .lines = {}};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::string event = findings::event_text(steps[i]);
    listing.lines.push_back(fmt::format("{:4}  {}  {}  {}{}", i + 1, steps[i].thread, short_position(steps[i].at),
                                        steps[i].what, event.empty() ? "" : ", " + event));
    std::ranges::move(state_text(input.program(), states[i]), std::back_inserter(listing.lines));
    if (!dialogue && i + 1 < steps.size()) continue;
    writer.add(listing);
    listing.lines.clear();
    if (dialogue && i + 1 < steps.size() && lines.next().value_or("q") == "q") break;
  }
}

ExitStatus run(const ReplayOptions& options, Run& run) {
  const explorer::TraceFile file = explorer::read_trace(read_text_file(options.path, run.stop), options.path);
  ProgramInput input = read_program(options.program.value_or(file.source), run);
  if (sha256(input.model.source.text) != file.program)
    throw InputError{options.path, fmt::format("this is a run of another version of {}", input.path())};
  const auto found = program::replayed(input.program(), file.trace);
  if (!found) throw solver::BrokenAnswer{"the trace cannot be replayed: one of its steps is not possible"};
  const findings::SourceTerms terms = input.terms();
  std::vector<findings::Finding> list;
  for (const program::ExploredFinding& each : *found) {
    findings::Finding finding = findings::explored_finding(terms, each);
    if (finding.id == file.finding) list.push_back(std::move(finding));
  }
  if (list.empty()) throw solver::BrokenAnswer{"the trace leads to something else than the finding that it names"};
  list.resize(1);
  findings::apply(input.suppressions, list);
  ReportWriter writer{run, {.schedules = !options.step}};
  writer.about(input);
  writer.expect_findings();
  if (options.step)
    show_steps(input, found->front().run, file.trace, is_dialogue(options.common.output), writer, run.stop);
  writer.add(std::move(list.front()));
  writer.add(Summary{
      .properties = {{"steps", count(file.trace.size())}, {"preemptions", count(found->front().run.preemptions)}}});
  writer.finish();
  return status_of(writer.findings(), options.common.verdict);
}

}  // namespace

Command replay_command() {
  return make_command<ReplayOptions>(
      {.name = "replay",
       .group = CommandGroup::Look,
       .summary = "execute a run of a program once more that explore has kept",
       .description =
           "Reads a trace that lockwood explore --traces wrote, executes the program along it, and tells what "
           "it leads to. That is the finding that the trace names, or we are at fault (exit status 4). A "
           "trace of another version of the program is refused.",
       .examples = {{"lockwood replay traces/f889b1e4f289.trace", "how it got there"},
                    {"lockwood replay traces/f889b1e4f289.trace --step", "with the values after each step"}},
       .exits = ExitTable::Verdict},
      declare, run);
}

}  // namespace lockwood::frontend
