#include <fmt/format.h>

#include <algorithm>

#include "base/text_file.hpp"
#include "frontend/commands/commands.hpp"
#include "frontend/findings/race_finding.hpp"
#include "frontend/findings/reproducer.hpp"
#include "frontend/program_input.hpp"

namespace lockwood::frontend {
namespace {

struct ReproOptions {
  CommonOptions common;
  std::string path;
  std::string id;
  bool repaired = false;
};

void declare(CLI::App& app, ReproOptions& options) {
  declare_program(app, options.path, options.common.program);
  app.add_option("ID", options.id, "the id of a race, as lockwood race tells it, or its first digits")
      ->required()
      ->type_name("ID")
      ->group(section::input);
  app.add_flag("--repaired", options.repaired, "do both accesses under a lock of their own")->group(section::analysis);
  declare_limits(app, options.common.limits);
  declare_output_path(app, options.common.output.path);
  declare_general(app, options.common.general);
}

// The only conflict whose id begins so. Throws InputError.
findings::Conflict conflict_with(const ProgramInput& input, const std::string& id) {
  const findings::SourceTerms terms = input.terms();
  std::optional<findings::Conflict> found;
  for (const findings::Conflict& conflict : findings::conflicts(input.lowered())) {
    if (!findings::race_id(terms, conflict).starts_with(id)) continue;
    if (found) throw InputError{input.path(), fmt::format("several pairs of accesses begin with '{}'", id)};
    found = conflict;
  }
  if (!found)
    throw InputError{input.path(), fmt::format("no pair of accesses has the id '{}'; lockwood race tells them", id)};
  return *found;
}

ExitStatus run(const ReproOptions& options, Run& run) {
  const ProgramInput input = read_program(options.path, run);
  const findings::Conflict race = conflict_with(input, options.id);
  run.progress.show("schedule");
  const solver::Answer answer =
      solver::solve(input.lowered().network, findings::conflict_problem(input.lowered(), race),
                    {.witness = solver::WitnessChoice::FewestThreads, .stop = run.stop});
  run.stop.check();
  if (!answer.witness) throw InputError{input.path(), fmt::format("the accesses of '{}' do not race", options.id)};
  const std::string program = findings::race_reproducer(
      input.terms(), race, answer.witness->schedule, options.repaired ? findings::Repair::Yes : findings::Repair::No);
  run.supervisor.computation_ended();
  write_text_file(options.common.output.path, program);
  return ExitStatus::Nothing;
}

}  // namespace

Command repro_command() {
  return make_command<ReproOptions>(
      {.name = "repro",
       .group = CommandGroup::Convert,
       .summary = "a race as a small C program that ThreadSanitizer can judge",
       .description =
           "Writes a program in C with POSIX threads that follows the schedule of a race and then does both accesses "
           "at "
           "the same time. Compiled with -fsanitize=thread it reports this race; with --repaired, it does not.",
       .examples = {{"lockwood repro models/bank-racy.lw ID -o race.c", "the race with the id that lockwood race told"},
                    {"lockwood repro models/bank-racy.lw ID --repaired", "the same with a lock"}}},
      declare, run);
}

}  // namespace lockwood::frontend
