#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "frontend/commands/commands.hpp"
#include "frontend/findings/race_finding.hpp"
#include "frontend/program_input.hpp"
#include "frontend/report_writer.hpp"
#include "frontend/verdict_status.hpp"

namespace lockwood::frontend {
namespace {

using findings::Conflict;
using findings::Finding;

struct RaceOptions {
  CommonOptions common;
  std::string path;
  std::optional<std::string> variable;
  bool explain = false;
  bool brief = false;
};

void declare(CLI::App& app, RaceOptions& options) {
  declare_program(app, options.path, options.common.program);
  app.add_option("--var", options.variable, "only races on this variable")->type_name("NAME")->group(section::analysis);
  app.add_flag("--explain", options.explain, "also the pairs that do not race, and why")->group(section::analysis);
  declare_limits(app, options.common.limits);
  app.add_flag("--brief", options.brief, "without schedules and stacks")->group(section::output);
  declare_report(app, options.common.output);
  declare_json_lines(app, options.common.output);
  declare_finding_verdict(app, options.common.verdict);
  declare_general(app, options.common.general);
}

// By variable, in the order of declarations; then what was executed with real values; then what is simplest to read.
void order(std::vector<Finding>& races, const program::Program& program) {
  std::vector<std::string> variables;
  for (const program::VariableInfo& variable : program.variables) variables.push_back(variable.name);
  std::ranges::stable_sort(races, {}, [&](const Finding& race) {
    return std::tuple{std::ranges::find(variables, race.subject) - variables.begin(), race.certainty,
                      race.schedule.size()};
  });
}

ExitStatus run(const RaceOptions& options, Run& run) {
  ProgramInput input = read_program(options.path, run);
  const findings::SourceTerms terms = input.terms();
  const auto variable = options.variable ? std::optional{variable_named(input, *options.variable)} : std::nullopt;
  const dpn::Network& network = input.lowered().network;
  run.progress.show("pairs of accesses");
  const std::vector<Conflict> all = findings::conflicts(input.lowered(), variable);
  const findings::ConflictVerdicts verdicts =
      findings::decide(network, input.lowered(), all, dpn::Semantics::LockSensitive, run.stop);

  std::vector<Finding> races;
  std::vector<Finding> others;  // undecided, or excluded and asked for
  for (std::size_t i = 0; i < verdicts.racing.size(); ++i) {
    run.progress.show(fmt::format("schedule of race {} of {}", i + 1, verdicts.racing.size()));
    const Conflict& race = verdicts.racing[i];
    const solver::Answer answer =
        solver::solve(network, findings::conflict_problem(input.lowered(), race), {.stop = run.stop});
    if (answer.witness) {
      races.push_back(findings::race_finding(terms, race, answer.witness->schedule));
    } else {
      others.push_back(findings::undecided_race_finding(terms, race, "no schedule was found in time"));
    }
  }
  order(races, input.program());
  const Extent extent = options.variable || verdicts.stopped ? Extent::Some : Extent::All;
  const std::size_t unused = apply_suppressions(input, findings::Rule::Race, races, extent, run);

  for (const Conflict& conflict : verdicts.undecided)
    others.push_back(findings::undecided_race_finding(terms, conflict, to_string(*verdicts.stopped)));
  bool explained = true;
  if (options.explain && !verdicts.stopped) {
    run.progress.show("reasons");
    try {
      const auto reasons = findings::separations(input.program(), input.lowered(), verdicts.apart, run.stop);
      for (std::size_t i = 0; i < reasons.size(); ++i)
        others.push_back(findings::no_race_finding(terms, verdicts.apart[i], reasons[i]));
    } catch (const Interrupted& interrupted) {
      explained = false;
      run.note(fmt::format("no reasons: {}", interrupted.what()));
    }
  }

  ReportWriter writer{run, {.schedules = !options.brief}};
  writer.about(input.identity);
  writer.expect_findings();
  const auto suppressed = static_cast<std::size_t>(
      std::ranges::count_if(races, [](const Finding& race) { return race.suppressed.has_value(); }));
  const std::size_t found = races.size() - suppressed;
  for (Finding& race : races) writer.add(std::move(race));
  for (Finding& other : others) writer.add(std::move(other));
  writer.add(
      PropertyList{.key = "summary",
                   .title = {},
                   .properties = {{"races", count(found)},
                                  {"ignored", count(suppressed)},
                                  {"unused_suppressions", count(unused)},
                                  {"pairs_of_accesses", count(all.size())},
                                  {"apart", count(verdicts.apart.size())},
                                  {"undecided", count(all.size() - verdicts.apart.size() - found - suppressed)}}});
  writer.finish();
  const ExitStatus status = status_of(writer.findings(), options.common.verdict);
  return combined(status, explained || options.common.verdict.exit_zero ? ExitStatus::Nothing : ExitStatus::GaveUp);
}

}  // namespace

Command race_command() {
  return make_command<RaceOptions>(
      {.name = "race",
       .group = CommandGroup::Ask,
       .summary = "which accesses of a program to shared variables can happen at the same time?",
       .description =
           "Finds every pair of accesses to a shared variable, at least one of them a write, before which two threads "
           "can "
           "stand at the same time, with a schedule in lines of the program. All pairs are decided by one run. A "
           "schedule that was also executed with the program's real values is called executed, any other possible.",
       .examples = {{"lockwood race models/bank-racy.lw", "the races of a program"},
                    {"lockwood race models/table1-5.lw --explain", "why two accesses do not race"}},
       .exits = ExitTable::Verdict},
      declare, run);
}

}  // namespace lockwood::frontend
