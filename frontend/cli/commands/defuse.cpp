#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "frontend/cli/answering/solving.hpp"
#include "frontend/cli/answering/verdict_status.hpp"
#include "frontend/cli/commands/commands.hpp"
#include "frontend/cli/input/program_input.hpp"
#include "frontend/cli/output/report_writer.hpp"
#include "frontend/findings/def_use_finding.hpp"
#include "frontend/findings/narrative/finding_schedule.hpp"

namespace lockwood::frontend {
namespace {

using findings::AccessId;
using findings::DefUsePair;
using findings::Finding;
using findings::Reader;

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
  app.add_flag("--brief", options.brief, "without schedules")->group(section::output);
  declare_report(app, options.common.output);
  declare_finding_files(app, options.common.output);
  declare_json_lines(app, options.common.output);
  declare_general(app, options.common.general);
}

struct PairTally {
  std::size_t pairs = 0;
  std::size_t feasible = 0;
  std::size_t kept_without_locks = 0;
  std::size_t undecided = 0;
  Confirmation confirmation = {};
};

// Asks about the use once more, by itself, and has the proof of the answer checked.
void confirm(const findings::DefinitionQuestion& question, const findings::ReachedUse& reached, bool inter_thread,
             const SolvingOptions& solving, PairTally& tally, Run& run) {
  for (Reader reader : {Reader::Other, Reader::Same}) {
    if (inter_thread && reader == Reader::Same) continue;
    tally.confirmation += Solver{question.network(), solving, run}.confirm(
        question.problem(reached.use, reader), "definition and use",
        reached.by(reader) ? dpn::Verdict::Reachable : dpn::Verdict::Unreachable);
  }
}

// The findings about one definition.
std::vector<Finding> about(AccessId definition, const ProgramInput& input, const DefUseOptions& options,
                           PairTally& tally, Run& run) {
  const findings::SourceTerms terms = input.terms();
  const findings::DefinitionQuestion question{input.lowered(), definition};
  const auto without = question.reached(dpn::Semantics::LockInsensitive, run.stop);
  const auto with = question.reached(dpn::Semantics::LockSensitive, run.stop);
  std::vector<Finding> found;
  for (std::size_t i = 0; i < with.uses.size(); ++i) {
    const DefUsePair pair{.definition = definition,
                          .use = with.uses[i].use,
                          .with_locks = with.uses[i],
                          .without_locks = without.uses[i],
                          .inter_thread = options.inter_thread};
    ++tally.pairs;
    if (pair.kept_without_locks()) ++tally.kept_without_locks;
    if (!pair.feasible() && (with.stopped || without.stopped)) {
      ++tally.undecided;
      found.push_back(findings::undecided_def_use_finding(terms, pair, to_string(*run.stop.reason())));
      continue;
    }
    confirm(question, pair.with_locks, pair.inter_thread, options.solving, tally, run);
    Finding finding = findings::def_use_finding(terms, pair);
    if (pair.feasible()) {
      ++tally.feasible;
      const Reader reader = pair.with_locks.by_other ? Reader::Other : Reader::Same;
      const solver::Answer answer = question.witness(pair.use, reader, run.stop);
      if (answer.witness)
        findings::add_value_schedule(finding, terms, answer.witness->schedule,
                                     {.definition = findings::access(input.lowered(), definition),
                                      .defining_phase = 1,
                                      .readers = findings::access(input.lowered(), pair.use).before,
                                      .reader = reader});
    } else if (options.explain) {
      try {
        finding.explanation = findings::def_use_explanation(terms, question, pair, run.stop);
      } catch (const Interrupted& interrupted) {
        finding.explanation.push_back(std::string{"no explanation: "} + interrupted.what());
      }
    }
    found.push_back(std::move(finding));
  }
  return found;
}

ExitStatus run(const DefUseOptions& options, Run& run) {
  const ProgramInput input = read_program(options.path, run);
  const auto variable = options.variable ? std::optional{variable_named(input, *options.variable)} : std::nullopt;
  const auto definitions = findings::definitions(input.lowered(), variable);
  ReportWriter writer{run, {.schedules = !options.brief, .subject = options.variable}};
  writer.about(input);
  writer.expect_findings();
  PairTally tally;
  std::size_t left_out = 0;  // definitions
  for (std::size_t i = 0; i < definitions.size(); ++i) {
    if (run.stop.stop_requested()) {
      left_out = definitions.size() - i;
      break;
    }
    run.progress.show("definition", i + 1, definitions.size());
    for (Finding& finding : about(definitions[i], input, options, tally, run)) writer.add(std::move(finding));
  }
  Summary summary{.properties = {{"definitions", count(definitions.size())},
                                 {"pairs", count(tally.pairs)},
                                 {"feasible", count(tally.feasible)},
                                 {"infeasible", count(tally.pairs - tally.feasible - tally.undecided)},
                                 {"undecided", count(tally.undecided)},
                                 {"kept_without_locks", count(tally.kept_without_locks)},
                                 {"removed_by_locks", count(tally.kept_without_locks - tally.feasible)}}};
  std::ranges::move(properties_of(tally.confirmation), std::back_inserter(summary.properties));
  writer.add(std::move(summary));
  writer.finish();
  if (left_out > 0) run.note(fmt::format("{} of {} definitions were not looked at", left_out, definitions.size()));
  const bool complete = tally.undecided + left_out == 0 && tally.confirmation.complete();
  return complete ? ExitStatus::Nothing : ExitStatus::GaveUp;
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
