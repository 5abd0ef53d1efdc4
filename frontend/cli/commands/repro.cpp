#include <fmt/format.h>

#include "base/process/text_file.hpp"
#include "frontend/cli/commands/commands.hpp"
#include "frontend/cli/input/program_input.hpp"
#include "frontend/cli/options/settle_option.hpp"
#include "frontend/cli/output/work_note.hpp"
#include "frontend/findings/difference.hpp"
#include "frontend/findings/narrative/reproducer.hpp"
#include "frontend/findings/race_finding.hpp"
#include "frontend/findings/settling.hpp"

namespace lockwood::frontend {
namespace {

struct ReproOptions {
  CommonOptions common;
  std::string path;
  std::optional<std::string> id;
  bool repaired = false;
  bool possible = false;
  findings::SettlingBudget settling;
};

void declare(CLI::App& app, ReproOptions& options) {
  declare_program(app, options.path, options.common.program);
  app.get_option("FILE")->description(
      "the program, as .lw text, or what lockwood race --json says of it; - is a program on standard input");
  app.add_option(
         "ID", options.id,
         "the id of a race, as lockwood race tells it, or its first digits; need not be given if there is one race")
      ->type_name("ID")
      ->group(section::input);
  app.add_flag("--repaired", options.repaired, "do both accesses under one new lock")->group(section::analysis);
  app.add_flag("--possible", options.possible,
               "also for a race that is only possible, as far as anybody knows: then the program need not show it")
      ->group(section::analysis);
  declare_limits(app, options.common.limits);
  declare_settling(app, options.settling);
  declare_output_path(app, options.common.output.path);
  declare_statistics(app, options.common.output);
  declare_general(app, options.common.general);
}

// A program, and the ids of its races if somebody looked for them already.
struct Subject {
  std::string path;
  std::optional<std::vector<std::string>> races;
};

// The results of a run of lockwood race name the program. Throws InputError.
Subject subject_of(const std::string& path, StopToken stop) {
  if (!path.ends_with(".json")) return {.path = path, .races = {}};
  const findings::KnownFindings known = findings::known_findings(read_text_file(path, stop), path);
  if (known.model.empty()) throw InputError{path, "this report does not say which program it is about"};
  Subject subject{.path = known.model, .races = std::vector<std::string>{}};
  for (const findings::KnownFinding& finding : known.open)
    if (finding.rule == findings::to_string(findings::Rule::Race)) subject.races->push_back(finding.id);
  return subject;
}

// The id of the only race. Throws InputError.
std::string only_race(const ProgramInput& input, const std::optional<std::vector<std::string>>& known, const Run& run) {
  std::vector<std::string> ids = known.value_or(std::vector<std::string>{});
  if (!known) {
    const findings::SourceTerms terms = input.terms();
    const findings::ConflictVerdicts verdicts = findings::decide_all(input.lowered(), run.stop);
    run.stop.check();
    for (const findings::Conflict& race : verdicts.racing) {
      run.stop.check();
      ids.push_back(findings::race_id(terms, race));
    }
  }
  if (ids.size() == 1) return ids.front();
  if (ids.empty()) throw InputError{input.path(), "there is no race"};
  throw InputError{input.path(),
                   fmt::format("there are {} races; give the ID of one, such as {}", ids.size(), ids.front())};
}

// The only conflict whose id begins so. Throws InputError.
findings::Conflict conflict_with(const ProgramInput& input, const std::string& id, StopToken stop) {
  const findings::SourceTerms terms = input.terms();
  std::optional<findings::Conflict> found;
  for (const findings::Conflict& conflict : findings::conflicts(input.lowered(), stop)) {
    stop.check();
    if (!findings::race_id(terms, conflict).starts_with(id)) continue;
    if (found) throw InputError{input.path(), fmt::format("several pairs of accesses begin with '{}'", id)};
    found = conflict;
  }
  if (!found)
    throw InputError{input.path(), fmt::format("no pair of accesses has the id '{}'; lockwood race tells them", id)};
  return *found;
}

// Whether the program, with its values, has the race. If not, or nobody knows, what is said about it.
std::optional<std::string> doubt(const ProgramInput& input, const findings::Conflict& race,
                                 const dpn::Schedule& schedule, const ReproOptions& options, const Run& run) {
  const findings::SourceTerms terms = input.terms();
  findings::Finding finding = findings::race_finding(terms, race, schedule, run.stop);
  run.progress.show("settling race");
  findings::Settling{terms, options.settling, run.stop}.settle_race(finding, race);
  run.stop.check();
  if (finding.outcome == findings::Outcome::Excluded) return "no run of the program, with its values, has this race";
  if (findings::is_certain(finding)) return std::nullopt;
  return "this race is only possible" + (finding.obstacle ? ": " + *finding.obstacle : std::string{});
}

ExitStatus run(const ReproOptions& options, Run& run) {
  const Subject subject = subject_of(options.path, run.stop);
  const ProgramInput input = read_program(subject.path, run);
  const std::string id = options.id ? *options.id : only_race(input, subject.races, run);
  const findings::Conflict race = conflict_with(input, id, run.stop);
  const bool races = !findings::decide(input.lowered(), {race}, run.stop).racing.empty();
  run.stop.check();
  if (!races) throw InputError{input.path(), fmt::format("the accesses of '{}' do not race", id)};
  run.progress.show("schedule");
  const solver::Answer answer =
      solver::solve(input.lowered().network, findings::conflict_problem(input.lowered(), race),
                    {.witness = solver::WitnessChoice::FewestThreads, .stop = run.stop});
  run.stop.check();
  if (const auto reason = doubt(input, race, answer.witness->schedule, options, run)) {
    if (!options.possible)
      throw InputError{{Diagnostic{.file = input.path(),
                                   .message = *reason,
                                   .excerpt = {},
                                   .hint = "--possible writes the program all the same"}}};
    run.note(*reason);
  }
  const std::string program = findings::race_reproducer(
      input.terms(), race, answer.witness->schedule, options.repaired ? findings::Repair::Yes : findings::Repair::No);
  run.write_answer(options.common.output.path, program);
  report_work(run);
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
