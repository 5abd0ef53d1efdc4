#include "frontend/program/interpreter/exploration.hpp"

#include <algorithm>
#include <cassert>
#include <stdexcept>

#include "explorer/search/sampling.hpp"
#include "explorer/trace/shorten.hpp"
#include "frontend/program/interpreter/futures.hpp"

namespace lockwood::program {
namespace {

using explorer::ActionKind;
using explorer::ThreadId;

std::vector<RunEnd> ends_of(const ProgramMachine& machine) {
  std::vector<RunEnd> ends;
  const auto threads = machine.threads();
  for (std::size_t i = 0; i < threads.size(); ++i) {
    const ThreadId thread{i};
    if (threads[i].status == explorer::ThreadStatus::Absent) continue;
    RunEnd end{.thread = machine.name(thread), .status = threads[i].status, .stack = {}, .holds = {}, .blocked_by = {}};
    for (explorer::Site site : machine.stack(thread)) end.stack.push_back(machine.sites().place(site));
    for (Lock lock : machine.program().locks.keys())
      if (machine.owner(lock) == thread) end.holds.push_back(lock);
    if (threads[i].blocked_on) end.blocked_by = machine.name(*threads[i].blocked_on);
    ends.push_back(std::move(end));
  }
  return ends;
}

RunStep step_of(const ProgramMachine& machine, explorer::Step step) {
  const explorer::Action& action = view(machine, step.thread).next;
  RunStep told{.thread = machine.name(step.thread),
               .at = machine.sites().place(action.site),
               .kind = action.kind,
               .variable = {},
               .lock = {},
               .value = {},
               .others = {}};
  if (explorer::access_kinds.contains(action.kind)) told.variable = Variable{action.object};
  if (explorer::monitor_kinds.contains(action.kind)) told.lock = Lock{action.object};
  if (action.kind == ActionKind::Start) told.others.push_back(machine.name(thread_of(action)));
  if (explorer::notifying_kinds.contains(action.kind)) {
    const auto waiting = waiting_for(machine, monitor_of(action));
    const bool all = action.kind == ActionKind::NotifyAll || action.kind == ActionKind::UnheldNotifyAll;
    for (std::size_t i = 0; i < waiting.size(); ++i)
      if (all || i == step.outcome) told.others.push_back(machine.name(waiting[i]));
  }
  return told;
}

explorer::Run checked(ProgramMachine& machine, const explorer::Run& run, const explorer::Observation& observation) {
  const std::size_t mark = machine.mark();
  bool found = explorer::replay(machine, run);
  if (found) {
    const auto seen = observations(machine, {});
    found = std::ranges::any_of(seen,
                                [&](const explorer::Observation& each) { return key_of(each) == key_of(observation); });
  }
  machine.undo(mark);
  // The search, the store or the trail is wrong then: better no answer than this one.
  if (!found) throw std::logic_error{"the run of a finding cannot be replayed"};
  return run;
}

explorer::Order order_of(Strategy strategy) {
  if (strategy == Strategy::BreadthFirst) return explorer::Order::BreadthFirst;
  return strategy == Strategy::Preemptions ? explorer::Order::Preemptions : explorer::Order::DepthFirst;
}

explorer::SampleOptions sampling_of(const ExplorationOptions& options) {
  return {
      .scheduler = options.strategy == Strategy::Random ? explorer::Scheduler::Random : explorer::Scheduler::Priorities,
      .change_points = options.change_points,
      .seed = options.seed,
      .runs = options.runs,
      .properties = options.properties,
      .first_finding_only = options.first_finding_only,
      .stop = options.stop};
}

// Remembers where the threads were when the target was nearest.
class Nearest final : public explorer::Target {
 public:
  Nearest(const ProgramMachine& machine, SiteTarget& target) : machine_{machine}, target_{target} {}
  bool is_reached(const explorer::Machine& machine) override { return target_.is_reached(machine); }
  bool allows_reduction() const override { return target_.allows_reduction(); }
  std::optional<std::uint32_t> distance(const explorer::Machine& machine) override {
    const auto now = target_.distance(machine);
    if (now && (!least || *now < *least)) {
      least = now;
      threads = ends_of(machine_);
    }
    return now;
  }
  std::optional<std::uint32_t> least;
  std::vector<RunEnd> threads;

 private:
  const ProgramMachine& machine_;
  SiteTarget& target_;
};

}  // namespace

NarratedRun narrated(ProgramMachine& machine, const explorer::Run& run) {
  NarratedRun told;
  told.trace = trace_of(machine, run);
  told.preemptions = preemptions(machine, run);
  const std::size_t mark = machine.mark();
  for (const explorer::Step& step : run) {
    told.steps.push_back(step_of(machine, step));
    RunStep& last = told.steps.back();
    if (last.kind == ActionKind::Read) last.value = machine.value(*last.variable);
    const auto bound = machine.step(step);
    assert(!bound);
    static_cast<void>(bound);
    if (last.kind == ActionKind::Write) last.value = machine.value(*last.variable);
  }
  told.threads = ends_of(machine);
  machine.undo(mark);
  return told;
}

Exploration explore(const Program& program, const ExplorationOptions& options) {
  ProgramMachine machine{program, options.limits};
  FutureOracle futures{machine};
  const bool at_random = options.strategy == Strategy::Random || options.strategy == Strategy::Priorities;
  explorer::SearchOptions search_options{.order = order_of(options.strategy),
                                         .reduction = options.reduction,
                                         .store = options.store,
                                         .properties = options.properties,
                                         .first_finding_only = options.first_finding_only,
                                         .max_states = options.max_states,
                                         .max_preemptions = options.max_preemptions,
                                         .stop = options.stop};
  if (options.use_futures) search_options.oracles = {&futures};
  const explorer::SearchResult found =
      at_random ? sample(machine, sampling_of(options)) : search(machine, search_options);
  Exploration result{.findings = {},
                     .omissions = found.omissions,
                     .counters = found.counters,
                     .omission_probability = found.omission_probability};
  for (const explorer::Finding& finding : found.findings) {
    explorer::Finding best = finding;
    if (options.shortening_states > 0 && !options.stop.stop_requested())
      best =
          shortened(machine, finding,
                    {.max_states = options.shortening_states, .oracles = search_options.oracles, .stop = options.stop});
    result.findings.push_back({best.observation, narrated(machine, checked(machine, best.run, best.observation))});
  }
  return result;
}

Settlement settle(const Program& program, const std::vector<std::vector<Sites::Place>>& ends,
                  const SettleOptions& options) {
  ProgramMachine machine{program, options.limits};
  FutureOracle futures{machine};
  std::vector<SiteTarget::End> sites;
  for (const std::vector<Sites::Place>& end : ends) {
    sites.emplace_back();
    for (const Sites::Place& place : end) sites.back().push_back(machine.sites()[place]);
  }
  SiteTarget target{machine, sites, options.condition};
  Nearest nearest{machine, target};
  const explorer::SearchResult found =
      search(machine, {.order = explorer::Order::Best,
                       .oracles = {&futures},
                       .properties = {.races = false, .deadlocks = false, .failures = false},
                       .target = &nearest,
                       .max_states = options.max_states,
                       .stop = options.stop});
  Settlement result;
  result.states = found.counters.states;
  if (!found.target) {
    result.verdict = found.is_complete() ? Settled::Excluded : Settled::Possible;
    result.omissions = found.omissions;
    if (result.verdict == Settled::Possible) {
      result.nearest = nearest.least;
      result.nearest_threads = std::move(nearest.threads);
    }
    return result;
  }
  result.verdict = Settled::Executed;
  const explorer::Run best =
      shortened(machine, *found.target, target,
                {.max_states = options.shortening_states, .oracles = {&futures}, .stop = options.stop});
  result.run = narrated(machine, best);
  return result;
}

}  // namespace lockwood::program
