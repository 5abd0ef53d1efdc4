#include "solver/analyses/deadlock.hpp"

#include <fmt/format.h>

#include <utility>

#include "frontend/cli/answering/analysis_run.hpp"
#include "frontend/cli/answering/solving.hpp"
#include "frontend/cli/answering/verdict_status.hpp"
#include "frontend/cli/commands/commands.hpp"
#include "frontend/cli/input/model_input.hpp"
#include "frontend/cli/options/settle_option.hpp"
#include "frontend/findings/find_deadlocks.hpp"

namespace lockwood::frontend {
namespace {

struct DeadlockOptions {
  CommonOptions common;
  SolvingOptions solving;
  std::string path;
  std::size_t max_cycles = solver::DeadlockOptions{}.max_cycles;
  bool all = false;
  findings::SettlingBudget settling;
};

void declare(CLI::App& app, DeadlockOptions& options) {
  options.common.program.java.lowering.purpose = java::Purpose::Deadlocks;
  declare_model(app, options.path, options.common.program);
  app.add_flag("--all", options.all, "show the cycles of locks that no execution closes, too")
      ->group(section::analysis);
  declare_explanations(app, options.solving);
  declare_reductions(app, options.solving.reductions);
  declare_engine(app, options.solving);
  declare_witness(app, options.solving);
  declare_proofs(app, options.solving);
  add_number(app, "--max-cycles", options.max_cycles,
             fmt::format("cycles of locks to look at (default {})", options.max_cycles))
      ->group(section::limits);
  declare_baseline(app, options.common.output);
  declare_limits(app, options.common.limits);
  declare_settling(app, options.settling);
  declare_pictures(app, options.solving);
  declare_report(app, options.common.output);
  declare_finding_choice(app, options.common.output);
  declare_finding_files(app, options.common.output);
  declare_json_lines(app, options.common.output);
  declare_verdict(app, options.common.verdict);
  declare_general(app, options.common.general);
}

// On a program, cycles are findings, one for each combination of places: in lines of its text, with ids, and such that
// its text can suppress them.
// Locks of a Java program that the model leaves out hide the cycles that they are in.
std::size_t left_out_locks(const ProgramInput& input) {
  if (!input.is_java()) return 0;
  return static_cast<std::size_t>(std::ranges::count_if(*input.model.assumptions, [](const auto& assumption) {
    return assumption.text.starts_with("a lock is ignored");
  }));
}

ExitStatus run_on_program(ProgramInput input, const DeadlockOptions& options, Run& run) {
  const findings::SourceTerms terms = input.terms();
  Solver solver{input.lowered().network, options.solving, run};
  const auto review = [&](const solver::Problem& problem, const std::string& text, const solver::Answer& answer) {
    const QueryAnswer presented = solver.presented(problem, text, answer);
    return findings::Review{presented.verdict, presented.explanation};
  };
  findings::Findings found = findings::find_deadlocks(terms, input.suppressions,
                                                      {.max_cycles = options.max_cycles,
                                                       .refuted = options.all,
                                                       .solving = solver.solve_options(),
                                                       .review = review,
                                                       .settling = options.settling,
                                                       .watch = watch_of(run)});
  warn_of_unused(found, input, run);
  if (const std::size_t left_out = left_out_locks(input); left_out > 0) {
    found.complete = false;
    found.notes.push_back(fmt::format("there may be more deadlocks: {} {} not in the model; --verbose tells where",
                                      left_out,
                                      left_out == 1 ? "place that takes a lock is" : "places that take locks are"));
  }
  ReportWriter writer{run, {.schedules = true}};
  writer.about(input);
  writer.expect_findings();
  for (findings::Finding& deadlock : found.findings) writer.add(std::move(deadlock));
  writer.add(summary_from(found, {{"complete", found.complete}}));
  writer.finish();
  solver.write_pictures();
  report_notes(found, run);
  return status_of(found, writer, options.common.verdict);
}

ExitStatus run(const DeadlockOptions& options, Run& run) {
  ModelInput model = read_model(options.path, run);
  if (model.program) return run_on_program(program_of(std::move(model), run), options, run);
  if (options.common.output.baseline) throw InputError{options.path, "--baseline is about programs; this is a model"};
  const dpn::Network& network = model.file.network;
  Solver solver{network, options.solving, run};
  run.progress.show("cycles of locks");
  const auto show = [&run](std::size_t number, std::size_t total) { run.progress.show("cycle", number, total); };
  solver::Deadlocks found = solver::find_deadlocks(
      network, {.max_cycles = options.max_cycles, .solving = solver.solve_options(), .on_cycle = show});
  ReportWriter writer{run, {.schedules = true}};
  writer.about(model);
  writer.expect_queries();
  std::size_t decided[3] = {};  // by verdict
  for (solver::LockCycle& cycle : found.cycles) {
    QueryAnswer answer = solver.presented(solver::cycle_problem(cycle.shape),
                                          findings::deadlock_text(network, cycle.shape), std::move(cycle.answer));
    answer.cycle = cycle.shape.locks;
    answer.cycle_through_joins = cycle.shape.through_joins;
    ++decided[static_cast<std::size_t>(answer.verdict)];
    if (answer.verdict != dpn::Verdict::Unreachable || options.all) writer.add(std::move(answer));
  }
  const bool complete = found.complete && !found.stopped;
  const auto cycles = [&](dpn::Verdict verdict) { return count(decided[static_cast<std::size_t>(verdict)]); };
  writer.add(Summary{.properties = {{"deadlocks", cycles(dpn::Verdict::Reachable)},
                                    {"rings_undecided", cycles(dpn::Verdict::Unknown)},
                                    {"rings_refuted", cycles(dpn::Verdict::Unreachable)},
                                    {"complete", complete}}});
  writer.finish();
  solver.write_pictures();
  if (const std::string why = findings::why_incomplete(found); !why.empty()) run.note(why);
  const ExitStatus status =
      status_of(writer.answers(), options.common.verdict, {.reachable = true, .unexpected = false, .unknown = false});
  return combined(status, complete || options.common.verdict.exit_zero ? ExitStatus::Nothing : ExitStatus::GaveUp);
}

}  // namespace

Command deadlock_command() {
  return make_command<DeadlockOptions>(
      {.name = "deadlock",
       .group = CommandGroup::Ask,
       .summary = "can threads wait for each other in a cycle, for locks and at joins?",
       .description = "Finds all cycles of threads, of any length, in which each holds a lock and is before a rule "
                      "that takes the lock of the next one, or before a join that waits for a thread which wants that "
                      "lock, directly or through further joins. Cycles that single threads suggest are confirmed or "
                      "refuted one by one. A thread never waits for a lock that it holds. There is no --nolocks: "
                      "without locks nobody waits.",
       .examples = {{"lockwood deadlock models/philosophers-3.dpn", "who waits for whom, and how it came to that"},
                    {"lockwood deadlock models/philosophers-ordered-3.dpn --all --explain",
                     "why the cycles cannot close"}},
       .exits = ExitTable::Verdict},
      declare, run);
}

}  // namespace lockwood::frontend
