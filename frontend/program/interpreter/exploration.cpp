#include "frontend/program/interpreter/exploration.hpp"

#include <algorithm>
#include <cassert>
#include <exception>
#include <stdexcept>
#include <thread>

#include "explorer/search/pairwise.hpp"
#include "explorer/search/sampling.hpp"
#include "explorer/search/value_schedules.hpp"
#include "explorer/search/wakeup_trees.hpp"
#include "explorer/trace/shorten.hpp"
#include "frontend/program/interpreter/ariadne.hpp"
#include "frontend/program/interpreter/changed_fragment.hpp"
#include "frontend/program/interpreter/futures.hpp"
#include "frontend/program/interpreter/marked_program.hpp"

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
  if (strategy == Strategy::Ariadne) return explorer::Order::Guided;
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

namespace {

class Listeners final : public explorer::Listener {
 public:
  void add(explorer::Listener& listener) { all_.push_back(&listener); }
  void visit(const explorer::Machine& machine) override {
    for (explorer::Listener* each : all_) each->visit(machine);
  }
  void edge(std::size_t from, std::size_t to) override {
    for (explorer::Listener* each : all_) each->edge(from, to);
  }

 private:
  std::vector<explorer::Listener*> all_;
};

// A machine, and what a search of it needs.
class Searching {
 public:
  Searching(const Program& program, const ExplorationOptions& options)
      : options_{options}, machine_{program, options.limits}, futures_{machine_} {
    if (options.parallel != nullptr) {
      parallel_.emplace(program, *options.parallel);
      listeners_.add(watch_.emplace(program, *options.parallel));
      oracles_.push_back(&*parallel_);
    }
    if (options.before != nullptr || options.keep_states)
      listeners_.add(history_.emplace(machine_, options.properties, options.before, options.changed));
    if (options.use_futures) oracles_.push_back(&futures_);
  }

  [[nodiscard]] ProgramMachine& machine() { return machine_; }
  [[nodiscard]] const std::vector<explorer::Oracle*>& oracles() const { return oracles_; }
  [[nodiscard]] const std::optional<VersionHistory>& history() const { return history_; }
  [[nodiscard]] std::size_t executions() const { return executions_; }
  [[nodiscard]] std::size_t given_up() const { return given_up_; }

  explorer::SearchResult run(explorer::Shard shard) {
    if (options_.strategy == Strategy::Random || options_.strategy == Strategy::Priorities)
      return sample(machine_, sampling_of(options_));
    if (options_.quick) {
      ChangedFragment fragment{machine_, *options_.quick};
      return pairwise_search(machine_, {.fragment = &fragment,
                                        .properties = options_.properties,
                                        .first_finding_only = options_.first_finding_only,
                                        .listener = watch_ ? &listeners_ : nullptr,
                                        .max_level = options_.max_level,
                                        .max_states = options_.max_states,
                                        .stop = options_.stop});
    }
    if (options_.strategy == Strategy::SourceSets || options_.strategy == Strategy::WakeupTrees) return executed();
    if (options_.strategy == Strategy::ValueSchedules)
      return value_schedule_search(machine_, {.oracles = oracles_,
                                              .properties = options_.properties,
                                              .first_finding_only = options_.first_finding_only,
                                              .listener = watch_ ? &listeners_ : nullptr,
                                              .max_states = options_.max_states,
                                              .stop = options_.stop})
          .search;
    std::optional<AriadneGuide> guide;
    if (options_.strategy == Strategy::Ariadne)
      guide.emplace(machine_, race_reports(machine_.program(), options_.parallel));
    return search(machine_, {.order = order_of(options_.strategy),
                             .reduction = options_.reduction,
                             .store = options_.store,
                             .oracles = oracles_,
                             .properties = options_.properties,
                             .first_finding_only = options_.first_finding_only,
                             .listener = watch_ || history_ ? &listeners_ : nullptr,
                             .guide = guide ? &*guide : nullptr,
                             .pruner = history_ ? &*history_ : nullptr,
                             .max_states = options_.max_states,
                             .max_preemptions = options_.max_preemptions,
                             .shard = shard,
                             .stop = options_.stop});
  }

 private:
  // Execution by execution.
  explorer::SearchResult executed() {
    const auto search =
        options_.strategy == Strategy::SourceSets ? explorer::source_set_search : explorer::wakeup_tree_search;
    explorer::SourceSetResult result = search(machine_, {.properties = options_.properties,
                                                         .first_finding_only = options_.first_finding_only,
                                                         .listener = watch_ ? &listeners_ : nullptr,
                                                         .max_executions = options_.max_states,
                                                         .stop = options_.stop});
    executions_ = result.executions;
    given_up_ = result.redundant;
    return std::move(result.search);
  }

  const ExplorationOptions& options_;
  std::size_t executions_ = 0;
  std::size_t given_up_ = 0;
  ProgramMachine machine_;
  FutureOracle futures_;
  std::optional<ParallelOracle> parallel_;
  std::optional<ParallelWatch> watch_;
  std::optional<VersionHistory> history_;
  Listeners listeners_;
  std::vector<explorer::Oracle*> oracles_;
};

// The result of a machine of its own, with runs of another one: these know threads by other numbers.
explorer::SearchResult searched_apart(const Program& program, const ExplorationOptions& options, explorer::Shard shard,
                                      std::vector<explorer::Trace>& traces) {
  Searching searching{program, options};
  explorer::SearchResult result = searching.run(shard);
  for (const explorer::Finding& finding : result.findings) traces.push_back(trace_of(searching.machine(), finding.run));
  return result;
}

// A thread for each job. What one of them throws is thrown here.
explorer::SearchResult searched_in_parallel(const Program& program, const ExplorationOptions& options,
                                            ProgramMachine& machine) {
  std::vector<explorer::SearchResult> results(options.jobs);
  std::vector<std::vector<explorer::Trace>> traces(options.jobs);
  std::vector<std::exception_ptr> failures(options.jobs);
  const std::size_t count = options.shard.count * options.jobs;
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < options.jobs; ++i)
      threads.emplace_back([&, i] {
        try {
          results[i] = searched_apart(program, options, {options.shard.index * options.jobs + i, count}, traces[i]);
        } catch (...) {
          failures[i] = std::current_exception();
        }
      });
  }
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
  for (std::size_t i = 0; i < options.jobs; ++i) {
    for (std::size_t j = 0; j < results[i].findings.size(); ++j) {
      const std::size_t mark = machine.mark();
      auto run = follow(machine, traces[i][j]);
      if (!run) throw std::logic_error{"the run of a finding cannot be replayed"};
      machine.undo(mark);
      results[i].findings[j].run = *std::move(run);
    }
  }
  return merged(results, count);
}

}  // namespace

Exploration explore(const Program& program, const ExplorationOptions& options) {
  Searching searching{program, options};
  ProgramMachine& machine = searching.machine();
  const explorer::SearchResult found =
      options.jobs > 1 ? searched_in_parallel(program, options, machine) : searching.run(options.shard);
  Exploration result{.findings = {},
                     .omissions = found.omissions,
                     .counters = found.counters,
                     .omission_probability = found.omission_probability,
                     .executions = searching.executions(),
                     .given_up = searching.given_up()};
  if (options.keep_states && found.is_complete()) result.states = searching.history()->states();
  for (const explorer::Finding& finding : found.findings) {
    explorer::Finding best = finding;
    if (options.shortening_states > 0 && !options.stop.stop_requested())
      best = shortened(machine, finding,
                       {.max_states = options.shortening_states, .oracles = searching.oracles(), .stop = options.stop});
    result.findings.push_back({best.observation, narrated(machine, checked(machine, best.run, best.observation))});
  }
  return result;
}

std::optional<std::vector<ExploredFinding>> replayed(const Program& program, const explorer::Trace& trace,
                                                     const MachineLimits& limits) {
  ProgramMachine machine{program, limits};
  const std::size_t mark = machine.mark();
  const auto run = follow(machine, trace);
  if (!run) return std::nullopt;
  std::vector<explorer::Observation> seen = observations(machine, {});
  machine.undo(mark);
  std::vector<ExploredFinding> found;
  for (explorer::Observation& observation : seen) found.push_back({std::move(observation), narrated(machine, *run)});
  return found;
}

std::vector<RunState> states_of(const Program& program, const explorer::Trace& trace, const MachineLimits& limits) {
  ProgramMachine machine{program, limits};
  std::vector<RunState> states;
  for (const explorer::TraceStep& step : trace) {
    const auto done = follow(machine, {step});
    assert(done);
    static_cast<void>(done);
    states.emplace_back();
    for (Variable variable : program.variables.keys()) states.back().values.push_back(machine.value(variable));
    for (Lock lock : program.locks.keys()) {
      const auto owner = machine.owner(lock);
      states.back().owners.push_back(owner ? std::optional{machine.name(*owner)} : std::nullopt);
    }
  }
  return states;
}

namespace {

// The run as one of the program without marks.
NarratedRun without_marks(NarratedRun run, const MarkedProgram& marked) {
  assert(run.steps.size() == run.trace.size());
  NarratedRun told{.steps = {}, .threads = std::move(run.threads), .preemptions = run.preemptions, .trace = {}};
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    if (marked.is_mark(run.steps[i].at)) continue;
    told.steps.push_back(std::move(run.steps[i]));
    told.steps.back().at = marked.original(told.steps.back().at);
    told.trace.push_back(std::move(run.trace[i]));
  }
  for (RunEnd& end : told.threads)
    for (Sites::Location& place : end.stack) place = marked.original(place);
  return told;
}

std::vector<SiteTarget::End> sites_of(const ProgramMachine& machine,
                                      const std::vector<std::vector<Sites::Location>>& ends) {
  std::vector<SiteTarget::End> sites;
  for (const std::vector<Sites::Location>& end : ends) {
    sites.emplace_back();
    for (const Sites::Location& place : end) sites.back().push_back(machine.sites()[place]);
  }
  return sites;
}

}  // namespace

Settlement settle(const Program& program, const std::vector<std::vector<Sites::Location>>& ends,
                  const SettleOptions& options) {
  // Cycles need no marks: whoever is blocked is before a visible action.
  std::vector<Sites::Location> places;
  if (options.condition == SiteTarget::Condition::Standing)
    for (const std::vector<Sites::Location>& end : ends) places.insert(places.end(), end.begin(), end.end());
  const MarkedProgram marked{program, places};
  ProgramMachine machine{marked.program(), options.limits};
  FutureOracle futures{machine};
  SiteTarget target{machine, sites_of(machine, ends), options.condition, options.through_joins};
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
      for (RunEnd& end : result.nearest_threads)
        for (Sites::Location& place : end.stack) place = marked.original(place);
    }
    return result;
  }
  result.verdict = Settled::Executed;
  const explorer::Run best =
      shortened(machine, *found.target, target,
                {.max_states = options.shortening_states, .oracles = {&futures}, .stop = options.stop});
  result.run = without_marks(narrated(machine, best), marked);
  // The search, the store or the trail is wrong if this fails: better no answer than this one.
  ProgramMachine again{marked.program(), options.limits};
  SiteTarget there{again, sites_of(again, ends), options.condition, options.through_joins};
  if (!follow(again, trace_of(machine, best)) || !there.is_reached(again))
    throw std::logic_error{"the run of a finding cannot be replayed"};
  ProgramMachine unmarked{program, options.limits};
  if (!follow(unmarked, result.run->trace)) throw std::logic_error{"the run of a finding cannot be replayed"};
  return result;
}

}  // namespace lockwood::program
