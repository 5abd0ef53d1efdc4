#include "solver/deadlock.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/commands/commands.hpp"
#include "frontend/findings/deadlock_finding.hpp"
#include "frontend/findings/held_locks.hpp"
#include "frontend/model_input.hpp"
#include "frontend/program_input.hpp"
#include "frontend/report_writer.hpp"
#include "frontend/solving.hpp"
#include "frontend/verdict_status.hpp"

namespace lockwood::frontend {
namespace {

struct DeadlockOptions {
  CommonOptions common;
  SolvingOptions solving;
  std::string path;
  std::size_t max_cycles = solver::DeadlockOptions{}.max_cycles;
  bool all = false;
};

void declare(CLI::App& app, DeadlockOptions& options) {
  declare_model(app, options.path, options.common.program);
  app.add_flag("--all", options.all, "show the rings of locks that no execution closes, too")->group(section::analysis);
  declare_explanations(app, options.solving);
  declare_reductions(app, options.solving.reductions);
  declare_engine(app, options.solving);
  declare_witness(app, options.solving);
  declare_proofs(app, options.solving);
  add_number(app, "--max-cycles", options.max_cycles,
             fmt::format("rings of locks to look at (default {})", options.max_cycles))
      ->group(section::limits);
  declare_baseline(app, options.common.output);
  declare_limits(app, options.common.limits);
  declare_pictures(app, options.solving);
  declare_report(app, options.common.output);
  declare_finding_files(app, options.common.output);
  declare_json_lines(app, options.common.output);
  declare_verdict(app, options.common.verdict);
  declare_general(app, options.common.general);
}

// "a thread holds x and wants y, another holds y and wants x"
std::string ring_text(const dpn::Network& network, const std::vector<dpn::Lock>& ring) {
  std::string text = "deadlock:";
  for (std::size_t i = 0; i < ring.size(); ++i)
    text += fmt::format("{} holds {} and wants {}", i == 0 ? " a thread" : ", another", network.locks().shown(ring[i]),
                        network.locks().shown(ring[(i + 1) % ring.size()]));
  return text;
}

// On a program, rings are findings: in lines of its text, with ids, and such that its text can suppress them.
ExitStatus run_on_program(ProgramInput input, const DeadlockOptions& options, Run& run) {
  const findings::SourceTerms terms = input.terms();
  const dpn::Network& network = input.lowered().network;
  Solver solver{network, options.solving, run};
  run.progress.show("rings of locks");
  const solver::Deadlocks found =
      solver::find_deadlocks(network, {.max_cycles = options.max_cycles, .solving = solver.solve_options()});
  std::vector<findings::Finding> deadlocks;
  std::size_t refuted = 0;
  for (const solver::LockRing& ring : found.rings) {
    const bool excluded = ring.answer.verdict == dpn::Verdict::Unreachable;
    if (excluded) ++refuted;
    if (excluded && !options.all) continue;
    deadlocks.push_back(findings::deadlock_finding(terms, ring));
    const QueryAnswer answer = solver.presented(solver::ring_problem(ring.locks), {}, ring.answer);
    deadlocks.back().explanation.insert(deadlocks.back().explanation.end(), answer.explanation.begin(),
                                        answer.explanation.end());
  }
  const std::vector<dpn::Lock> unseen = findings::ignored_locks(input.lowered());
  const bool complete = found.complete && !found.stopped && unseen.empty();
  findings::apply(input.suppressions, deadlocks);
  const std::size_t unused =
      unused_suppressions(input, findings::Rule::Deadlock, complete ? Extent::All : Extent::Some, run);
  const auto ignored = static_cast<std::size_t>(std::ranges::count_if(
      deadlocks, [](const findings::Finding& finding) { return finding.suppressed.has_value(); }));
  ReportWriter writer{run, {.schedules = true}};
  writer.about(input);
  writer.expect_findings();
  for (findings::Finding& deadlock : deadlocks) writer.add(std::move(deadlock));
  writer.add(Summary{.properties = {{"deadlocks", count(found.rings.size() - refuted - ignored)},
                                    {"ignored", count(ignored)},
                                    {"unused_suppressions", count(unused)},
                                    {"rings_refuted", count(refuted)},
                                    {"complete", complete}}});
  writer.finish();
  if (!found.complete && !found.stopped) run.note("there are more rings of locks; see --max-cycles");
  if (!unseen.empty())
    run.note(fmt::format("there may be more deadlocks with {}, which the model ignores where it is waited for",
                         terms.names(unseen)));
  const ExitStatus status = status_of(writer.findings(), options.common.verdict);
  return combined(status, complete || options.common.verdict.exit_zero ? ExitStatus::Nothing : ExitStatus::GaveUp);
}

ExitStatus run(const DeadlockOptions& options, Run& run) {
  ModelInput model = read_model(options.path, run);
  if (model.program) return run_on_program(program_of(std::move(model), run), options, run);
  if (options.common.output.baseline) throw InputError{options.path, "--baseline is about programs; this is a model"};
  const dpn::Network& network = model.file.network;
  Solver solver{network, options.solving, run};
  run.progress.show("rings of locks");
  solver::Deadlocks found =
      solver::find_deadlocks(network, {.max_cycles = options.max_cycles, .solving = solver.solve_options()});
  ReportWriter writer{run, {.schedules = true}};
  writer.about(model);
  writer.expect_queries();
  std::size_t refuted = 0;
  for (solver::LockRing& ring : found.rings) {
    QueryAnswer answer =
        solver.presented(solver::ring_problem(ring.locks), ring_text(network, ring.locks), std::move(ring.answer));
    if (answer.verdict == dpn::Verdict::Unreachable) ++refuted;
    if (answer.verdict != dpn::Verdict::Unreachable || options.all) writer.add(std::move(answer));
  }
  const bool complete = found.complete && !found.stopped;
  writer.add(Summary{.properties = {{"deadlocks", count(found.rings.size() - refuted)},
                                    {"rings_refuted", count(refuted)},
                                    {"complete", complete}}});
  writer.finish();
  solver.write_pictures();
  if (!found.complete && !found.stopped) run.note("there are more rings of locks; see --max-cycles");
  if (found.stopped) run.note(fmt::format("{}: there may be more", to_string(*found.stopped)));
  const ExitStatus status =
      status_of(writer.answers(), options.common.verdict, {.reachable = true, .unexpected = false, .unknown = false});
  return combined(status, complete || options.common.verdict.exit_zero ? ExitStatus::Nothing : ExitStatus::GaveUp);
}

}  // namespace

Command deadlock_command() {
  return make_command<DeadlockOptions>(
      {.name = "deadlock",
       .group = CommandGroup::Ask,
       .summary = "can threads wait for each other's locks in a ring?",
       .description = "Finds all rings of threads, of any length, in which each holds a lock and stands before a rule "
                      "that takes the "
                      "lock of the next one. Rings that single threads suggest are confirmed or refuted one by one. A "
                      "thread never "
                      "waits for a lock that it holds.",
       .examples = {{"lockwood deadlock models/philosophers-3.dpn", "who waits for whom, and how it came to that"},
                    {"lockwood deadlock models/philosophers-ordered-3.dpn --all --explain",
                     "why the rings cannot close"}},
       .exits = ExitTable::Verdict},
      declare, run);
}

}  // namespace lockwood::frontend
