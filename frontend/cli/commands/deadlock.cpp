#include "solver/analyses/deadlock.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/cli/answering/solving.hpp"
#include "frontend/cli/answering/verdict_status.hpp"
#include "frontend/cli/commands/commands.hpp"
#include "frontend/cli/input/model_input.hpp"
#include "frontend/cli/input/program_input.hpp"
#include "frontend/cli/options/settle_option.hpp"
#include "frontend/cli/output/report_writer.hpp"
#include "frontend/findings/analyses/held_locks.hpp"
#include "frontend/findings/deadlock_finding.hpp"
#include "frontend/report/rendering_time.hpp"

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
  declare_settling(app, options.settling);
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

solver::DeadlockOptions question(const DeadlockOptions& options, const Solver& solver, Run& run) {
  return {.max_cycles = options.max_cycles,
          .place_of = {},
          .solving = solver.solve_options(),
          .on_ring = [&run](std::size_t number, std::size_t total) { run.progress.show("ring", number, total); }};
}

// How many rings are deadlocks, by the verdict on each.
class RingCount {
 public:
  void add(dpn::Verdict verdict) {
    switch (verdict) {
      case dpn::Verdict::Reachable: ++confirmed_; break;
      case dpn::Verdict::Unreachable: ++refuted_; break;
      case dpn::Verdict::Unknown: ++undecided_; break;
    }
  }
  // So many of the deadlocks are ignored.
  [[nodiscard]] Summary summary(std::size_t ignored) const {
    return {.properties = {{"deadlocks", count(confirmed_ - ignored)},
                           {"rings_undecided", count(undecided_)},
                           {"rings_refuted", count(refuted_)}}};
  }

 private:
  std::size_t confirmed_ = 0;
  std::size_t refuted_ = 0;
  std::size_t undecided_ = 0;
};

// Without its schedule, if there is no time for that.
findings::Finding told(const findings::SourceTerms& terms, solver::LockRing& ring, RenderingTime& time) {
  try {
    return findings::deadlock_finding(terms, ring, time.token());
  } catch (const Interrupted&) {
    ring.answer.witness.reset();
    return findings::deadlock_finding(terms, ring);
  }
}

// On a program, rings are findings, one for each combination of places: in lines of its text, with ids, and such that
// its text can suppress them.
ExitStatus run_on_program(ProgramInput input, const DeadlockOptions& options, Run& run) {
  const findings::SourceTerms terms = input.terms();
  const dpn::Network& network = input.lowered().network;
  Solver solver{network, options.solving, run};
  run.progress.show("rings of locks");
  solver::DeadlockOptions by_place = question(options, solver, run);
  by_place.place_of = findings::places(input.lowered());
  solver::Deadlocks found = solver::find_deadlocks(network, by_place);
  std::vector<findings::Finding> deadlocks;
  std::vector<const solver::LockRing*> told_rings;  // what each is about
  RingCount rings;
  RenderingTime time{run.stop};
  for (solver::LockRing& ring : found.rings) {
    const QueryAnswer answer =
        solver.presented(solver::ring_problem(ring.locks, ring.places), ring_text(network, ring.locks), ring.answer);
    ring.answer.verdict = answer.verdict;  // unknown, if there was no time for its proof
    rings.add(answer.verdict);
    if (answer.verdict == dpn::Verdict::Unreachable && !options.all) continue;
    deadlocks.push_back(told(terms, ring, time));
    told_rings.push_back(&ring);
    deadlocks.back().explanation.insert(deadlocks.back().explanation.end(), answer.explanation.begin(),
                                        answer.explanation.end());
  }
  const std::vector<dpn::Lock> unseen = findings::ignored_locks(input.lowered());
  const bool complete = found.complete && !found.stopped && unseen.empty();
  findings::apply(input.suppressions, deadlocks);
  findings::Settling settling{terms, options.settling, run.stop};
  for (std::size_t i = 0; i < deadlocks.size(); ++i) {
    run.progress.show("settling deadlock", i + 1, deadlocks.size());
    settling.settle_deadlock(deadlocks[i], *told_rings[i]);
  }
  const std::size_t unused =
      unused_suppressions(input, findings::Rule::Deadlock, complete ? Extent::All : Extent::Some, run);
  const auto ignored = static_cast<std::size_t>(std::ranges::count_if(deadlocks, [](const findings::Finding& finding) {
    return finding.outcome == findings::Outcome::Found && finding.suppressed.has_value();
  }));
  ReportWriter writer{run, {.schedules = true}};
  writer.about(input);
  writer.expect_findings();
  for (findings::Finding& deadlock : deadlocks) writer.add(std::move(deadlock));
  Summary summary = rings.summary(ignored + settling.excluded());
  summary.properties.insert(summary.properties.end(), {{"excluded_by_values", count(settling.excluded())},
                                                       {"ignored", count(ignored)},
                                                       {"unused_suppressions", count(unused)},
                                                       {"complete", complete}});
  writer.add(std::move(summary));
  writer.finish();
  solver.write_pictures();
  if (!found.complete && !found.stopped)
    run.note(found.joins ? "cycles in which a thread waits in a join are not looked for"
                         : "there are more rings of locks; see --max-cycles");
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
  solver::Deadlocks found = solver::find_deadlocks(network, question(options, solver, run));
  ReportWriter writer{run, {.schedules = true}};
  writer.about(model);
  writer.expect_queries();
  RingCount rings;
  for (solver::LockRing& ring : found.rings) {
    QueryAnswer answer =
        solver.presented(solver::ring_problem(ring.locks), ring_text(network, ring.locks), std::move(ring.answer));
    answer.ring = ring.locks;
    rings.add(answer.verdict);
    if (answer.verdict != dpn::Verdict::Unreachable || options.all) writer.add(std::move(answer));
  }
  const bool complete = found.complete && !found.stopped;
  Summary summary = rings.summary(0);
  summary.properties.push_back({"complete", complete});
  writer.add(std::move(summary));
  writer.finish();
  solver.write_pictures();
  if (!found.complete && !found.stopped)
    run.note(found.joins ? "cycles in which a thread waits in a join are not looked for"
                         : "there are more rings of locks; see --max-cycles");
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
                      "waits for a lock that it holds. There is no --nolocks: without locks nobody waits.",
       .examples = {{"lockwood deadlock models/philosophers-3.dpn", "who waits for whom, and how it came to that"},
                    {"lockwood deadlock models/philosophers-ordered-3.dpn --all --explain",
                     "why the rings cannot close"}},
       .exits = ExitTable::Verdict},
      declare, run);
}

}  // namespace lockwood::frontend
