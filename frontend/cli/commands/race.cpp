#include <optional>
#include <utility>

#include "frontend/cli/answering/analysis_run.hpp"
#include "frontend/cli/answering/solving.hpp"
#include "frontend/cli/commands/commands.hpp"
#include "frontend/cli/options/settle_option.hpp"
#include "frontend/findings/find_races.hpp"

namespace lockwood::frontend {
namespace {

struct RaceOptions {
  CommonOptions common;
  SolvingOptions solving;
  std::string path;
  std::optional<std::string> variable;
  bool explain = false;
  bool brief = false;
  bool first = false;
  findings::SettlingBudget settling;
};

void declare(CLI::App& app, RaceOptions& options) {
  declare_program(app, options.path, options.common.program);
  app.add_option("--var,--field", options.variable, "only races on this variable, or field such as pkg.Main.count")
      ->type_name("NAME")
      ->group(section::analysis);
  app.add_flag("--explain", options.explain, "also the pairs that do not race, and why")->group(section::analysis);
  app.add_flag("--first", options.first, "end with the first race that is found")->group(section::analysis);
  declare_verify(app, options.solving.verify);
  declare_baseline(app, options.common.output);
  declare_limits(app, options.common.limits);
  declare_settling(app, options.settling);
  app.add_flag("--brief", options.brief, "without schedules and stacks, which are not looked for")
      ->group(section::output);
  declare_report(app, options.common.output);
  declare_finding_choice(app, options.common.output);
  declare_finding_files(app, options.common.output);
  declare_svcomp(app, options.common.output);
  declare_json_lines(app, options.common.output);
  declare_finding_verdict(app, options.common.verdict);
  declare_general(app, options.common.general);
}

findings::RaceOptions::Reasons reasons(const RaceOptions& options) {
  using Reasons = findings::RaceOptions::Reasons;
  if (options.explain) return Reasons::Findings;
  return options.common.output.html ? Reasons::Background : Reasons::None;  // the page tells them without being asked
}

ExitStatus run(const RaceOptions& options, Run& run) {
  ProgramInput input = read_program(options.path, run);
  const findings::SourceTerms terms = input.terms();
  std::vector<program::Variable> variables;
  std::optional<std::string> subject;
  if (options.variable) {
    variables = variables_named(input, *options.variable);
    subject = program::shown_name(input.program().variables[variables.front()]);
  }
  ReportWriter writer{run, {.schedules = !options.brief, .subject = std::move(subject), .first = options.first}};
  writer.about(input);
  writer.expect_findings();
  findings::RaceOptions asked{.reasons = reasons(options), .settling = options.settling};
  asked.watch = watch_of(run, writer);
  asked.variables = std::move(variables);
  asked.first = options.first;
  if (options.brief) asked.max_schedules = 0;
  if (options.solving.verify)
    asked.confirm = [&](const auto& claims) {
      return Solver{input.lowered().network, options.solving, run}.confirm(claims);
    };
  findings::Findings found = findings::find_races(terms, input.suppressions, asked);
  warn_of_unused(found, input, run);
  for (findings::Finding& excluded : found.background) writer.add_background(std::move(excluded));
  writer.add(found.ended_early ? summary_from(found, {{"complete", false}}) : summary_from(found));
  writer.finish();
  report_notes(found, run);
  return status_of(found, writer, options.common.verdict);
}

}  // namespace

Command race_command() {
  return make_command<RaceOptions>(
      {.name = "race",
       .group = CommandGroup::Ask,
       .summary = "which accesses of a program to shared variables can happen at the same time?",
       .description =
           "Finds every pair of accesses to a shared variable, at least one of them a write, before which two threads "
           "can be at the same time, with a schedule in lines of the program. All pairs are decided by one run, or "
           "one for every few variables of a large program. A schedule that was also executed with the program's real "
           "values is called executed; any other is settled by a search with these values, within --settle.",
       .examples = {{"lockwood race models/bank-racy.lw", "the races of a program"},
                    {"lockwood race models/table1-5.lw --explain", "why two accesses do not race"}},
       .exits = ExitTable::Verdict},
      declare, run);
}

}  // namespace lockwood::frontend
