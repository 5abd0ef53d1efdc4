#include <optional>

#include "frontend/cli/answering/analysis_run.hpp"
#include "frontend/cli/answering/solving.hpp"
#include "frontend/cli/commands/commands.hpp"
#include "frontend/findings/find_def_uses.hpp"

namespace lockwood::frontend {
namespace {

struct DefUseOptions {
  CommonOptions common;
  SolvingOptions solving;
  std::string path;
  std::optional<std::string> variable;
  bool inter_thread = false;
  bool explain = false;
  bool brief = false;
};

void declare(CLI::App& app, DefUseOptions& options) {
  declare_program(app, options.path, options.common.program);
  app.add_option("--var", options.variable, "only this variable")->type_name("NAME")->group(section::analysis);
  app.add_flag("--inter-thread", options.inter_thread, "only values that go from one thread to another")
      ->group(section::analysis);
  app.add_flag("--explain", options.explain, "say more exactly why a pair is infeasible, by more queries")
      ->group(section::analysis);
  declare_verify(app, options.solving.verify);
  declare_baseline(app, options.common.output);
  declare_limits(app, options.common.limits);
  app.add_flag("--brief", options.brief, "without schedules, much faster")->group(section::output);
  declare_report(app, options.common.output);
  declare_finding_files(app, options.common.output);
  declare_json_lines(app, options.common.output);
  declare_general(app, options.common.general);
}

ExitStatus run(const DefUseOptions& options, Run& run) {
  const ProgramInput input = read_program(options.path, run);
  const findings::SourceTerms terms = input.terms();
  ReportWriter writer{run, {.schedules = !options.brief, .subject = options.variable}};
  writer.about(input);
  writer.expect_findings();
  findings::DefUseOptions asked{
      .inter_thread = options.inter_thread, .explain = options.explain, .schedules = !options.brief};
  asked.watch = watch_of(run, writer);
  asked.confirm = confirm_by(options.solving, run);
  if (options.variable) asked.variable = variable_named(input, *options.variable);
  const findings::Findings found = findings::find_def_uses(terms, asked);
  writer.add(summary_from(found));
  writer.finish();
  report_notes(found, run);
  return found.complete ? ExitStatus::Nothing : ExitStatus::GaveUp;
}

}  // namespace

Command defuse_command() {
  return make_command<DefUseOptions>(
      {.name = "defuse",
       .group = CommandGroup::Ask,
       .summary = "which definitions of shared variables reach which uses?",
       .description =
           "For each definition and use of a shared variable: can a thread come to the use while the value of the "
           "definition is still there, in the same thread or in another one? With a schedule, or the reason why not. "
           "The summary tells how many pairs an analysis that knows no locks would have kept.",
       .examples = {{"lockwood defuse models/table1-3.lw", "which values can be printed"},
                    {"lockwood defuse models/table1-5.lw --inter-thread --explain", "between threads, and why not"}}},
      declare, run);
}

}  // namespace lockwood::frontend
