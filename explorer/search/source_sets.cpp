#include "explorer/search/source_sets.hpp"

#include <algorithm>
#include <cassert>

#include "explorer/search/event_order.hpp"
#include "explorer/search/expansion.hpp"

namespace lockwood::explorer {
namespace {

// A step of the current execution, and what is to be tried in its place.
struct Event {
  Step step;
  Action action;
  std::uint32_t number;           // among those of its thread, from 1
  Clock clock;                    // of the event, itself included
  std::size_t mark;               // of the machine, before it
  std::vector<ThreadId> enabled;  // before it
  std::vector<ThreadId> backtrack;
  std::vector<ThreadId> sleep;       // before it
  std::vector<Clock> thread_clocks;  // before it: of the last event of each thread, or of what made it able to move
};

class SourceSets {
 public:
  SourceSets(Machine& machine, const SourceSetOptions& options)
      : machine_{machine},
        options_{options},
        search_{.properties = options.properties},
        findings_{search_, result_.search} {}

  SourceSetResult run() && {
    const std::size_t root = machine_.mark();
    explore();
    machine_.undo(root);
    return std::move(result_);
  }

 private:
  // Iterative: executions are as long as they like. Each round, the machine is at the end of events_, a state that was
  // not looked at, or that is to be left.
  void explore() {
    std::vector<ThreadId> sleep;
    bool descend = arrive(sleep);
    while (!ended_) {
      if (descend) {
        descend = begin(sleep);
        if (descend) descend = arrive(sleep);
        continue;
      }
      if (events_.empty()) return;
      descend = next_in_place(sleep) && arrive(sleep);
    }
  }

  // Looks at the current state: findings, and races with what threads are before. False if the execution ends here.
  bool arrive(const std::vector<ThreadId>& sleep) {
    SearchResult& result = result_.search;
    if (options_.listener != nullptr) options_.listener->visit(machine_);
    if ((++result.counters.states & 1023U) == 0)
      options_.stop.report_progress({result.counters.states, result_.executions});
    result.counters.max_depth = std::max(result.counters.max_depth, events_.size());
    const std::size_t added = findings_.add(machine_);
    for (std::size_t i = result.findings.size() - added; i < result.findings.size(); ++i) {
      for (const Event& event : events_) result.findings[i].run.push_back(event.step);
    }
    if (added > 0 && options_.first_finding_only) {
      result.omissions.finding = true;
      ended_ = true;
      return false;
    }
    if (const auto reason = options_.stop.reason()) {
      result.omissions.stopped = reason;
      ended_ = true;
      return false;
    }
    thread_clocks_.resize(machine_.threads().size());
    for (std::size_t i = 0; i < machine_.threads().size(); ++i)
      if (machine_.threads()[i].status == ThreadStatus::Standing) find_races(ThreadId{i});
    if (is_final(machine_)) {
      ++result_.executions;
      return leave();
    }
    if (events_.size() >= options_.max_depth) {
      result.omissions.depth = true;
      return leave();
    }
    const auto threads = machine_.threads();
    for (std::size_t i = 0; i < threads.size(); ++i)
      if (threads[i].enabled && std::ranges::find(sleep, ThreadId{i}) == sleep.end()) return true;
    ++result_.redundant;
    return leave();
  }

  // An execution is over, in whatever way: programs whose runs do not end have more of them than anybody can wait for.
  bool leave() {
    if (++leaves_ >= options_.max_executions) {
      result_.search.omissions.states = true;
      ended_ = true;
    }
    return false;
  }

  // Lines 1–3 of the algorithm: any enabled thread that is not asleep.
  bool begin(std::vector<ThreadId>& sleep) {
    const auto threads = machine_.threads();
    for (std::size_t i = 0; i < threads.size(); ++i) {
      const ThreadId thread{i};
      if (!threads[i].enabled || std::ranges::find(sleep, thread) != sleep.end()) continue;
      events_.push_back({.step = {thread, 0},
                         .action = threads[i].next,
                         .number = 0,
                         .clock = {},
                         .mark = machine_.mark(),
                         .enabled = {},
                         .backtrack = {thread},
                         .sleep = sleep,
                         .thread_clocks = thread_clocks_});
      for (std::size_t j = 0; j < threads.size(); ++j)
        if (threads[j].enabled) events_.back().enabled.emplace_back(j);
      return execute(sleep);
    }
    assert(false);
    return false;
  }

  // The last event is over: its next outcome, or another thread in its place, or none: then it is taken away.
  bool next_in_place(std::vector<ThreadId>& sleep) {
    Event& event = events_.back();
    machine_.undo(event.mark);
    thread_clocks_ = event.thread_clocks;
    if (event.step.outcome + 1 < view(machine_, event.step.thread).outcomes) {
      ++event.step.outcome;
      return execute(sleep);
    }
    event.sleep.push_back(event.step.thread);
    for (ThreadId thread : event.backtrack) {
      if (std::ranges::find(event.sleep, thread) != event.sleep.end()) continue;
      event.step = {thread, 0};
      event.action = view(machine_, thread).next;
      return execute(sleep);
    }
    events_.pop_back();
    return false;
  }

  // Executes the step of the last event. `sleep` becomes the set after it. False if a bound was met.
  bool execute(std::vector<ThreadId>& sleep) {
    Event& event = events_.back();
    const ThreadId thread = event.step.thread;
    assert(view(machine_, thread).enabled);
    sleep.clear();
    for (ThreadId other : event.sleep)
      if (other != thread && !are_dependent(view(machine_, other).next, event.action)) sleep.push_back(other);
    thread_clocks_.resize(std::max(thread_clocks_.size(), machine_.threads().size()));
    event.clock = thread_clocks_[thread.index()];
    event.number = 1;
    for (std::size_t i = 0; i + 1 < events_.size(); ++i) {
      if (events_[i].step.thread == thread) event.number = events_[i].number + 1;
      if (events_[i].step.thread != thread && are_ordered(events_[i].action, event.action))
        join(event.clock, events_[i].clock);
    }
    if (event.action.kind == ActionKind::Join) {
      const std::size_t joined = thread_of(event.action).index();
      if (joined < thread_clocks_.size()) join(event.clock, thread_clocks_[joined]);
    }
    if (event.clock.size() <= thread.index()) event.clock.resize(thread.index() + 1);
    event.clock[thread.index()] = event.number;
    // A second start of a thread orders nothing: it fails.
    const bool starts = event.action.kind == ActionKind::Start &&
                        view(machine_, thread_of(event.action)).status == ThreadStatus::Absent;
    std::vector<bool> waited;
    for (const ThreadView& each : machine_.threads()) waited.push_back(each.status == ThreadStatus::Waiting);
    ++result_.search.counters.steps;
    if (const auto bound = machine_.step(event.step)) {
      result_.search.omissions.bounds[static_cast<std::size_t>(*bound)] = true;
      return false;
    }
    thread_clocks_.resize(machine_.threads().size());
    thread_clocks_[thread.index()] = event.clock;
    if (starts) join(thread_clocks_[thread_of(event.action).index()], event.clock);
    for (std::size_t i = 0; i < waited.size(); ++i)
      if (waited[i] && machine_.threads()[i].status != ThreadStatus::Waiting) join(thread_clocks_[i], event.clock);
    return true;
  }

  // Two steps of different threads, next to each other, that cannot be exchanged; both could come first.
  [[nodiscard]] bool are_dependent(const Action& a, const Action& b) const {
    return dependent_in_runs(options_.dependence, a, b);
  }
  // The same, or one makes the other possible.
  [[nodiscard]] bool are_ordered(const Action& a, const Action& b) const {
    return explorer::are_ordered(options_.dependence, a, b);
  }

  [[nodiscard]] static bool happens_before(const Event& event, const Clock& clock) {
    return is_before(event.step.thread, event.number, clock);
  }

  // Events that race with what the thread is before: dependent, not before it, and no other such event between.
  void find_races(ThreadId thread) {
    const Action& next = view(machine_, thread).next;
    const Clock& clock = thread_clocks_[thread.index()];
    std::vector<std::size_t> races;
    for (std::size_t i = events_.size(); i-- > 0;) {
      const Event& event = events_[i];
      if (event.step.thread == thread || !are_dependent(event.action, next) || happens_before(event, clock)) continue;
      if (std::ranges::any_of(races, [&](std::size_t later) { return happens_before(event, events_[later].clock); }))
        continue;
      races.push_back(i);
      reverse(i, thread);
    }
  }

  // The events after the race's first one that do not happen after it, then the thread's next action: one of those that
  // can come first must be tried before the race's first event.
  void reverse(std::size_t first, ThreadId thread) {
    Event& event = events_[first];
    std::vector<std::size_t> kept;
    for (std::size_t i = first + 1; i < events_.size(); ++i)
      if (!happens_before(event, events_[i].clock)) kept.push_back(i);
    std::vector<ThreadId> initials;
    const auto is_initial = [&](const Clock& clock, ThreadId of) {
      return std::ranges::none_of(kept, [&](std::size_t earlier) {
        return events_[earlier].step.thread != of && happens_before(events_[earlier], clock);
      });
    };
    for (std::size_t i : kept) {
      const ThreadId of = events_[i].step.thread;
      if (std::ranges::find(initials, of) == initials.end() && is_initial(events_[i].clock, of)) initials.push_back(of);
    }
    // The thread itself, unless it has moved in between, or what it is before depends on something in between.
    const bool moved = std::ranges::any_of(kept, [&](std::size_t i) { return events_[i].step.thread == thread; });
    const Action& next = view(machine_, thread).next;
    const bool depends = std::ranges::any_of(kept, [&](std::size_t i) { return are_ordered(events_[i].action, next); });
    if (!moved && !depends && is_initial(thread_clocks_[thread.index()], thread)) initials.push_back(thread);
    for (ThreadId initial : initials)
      if (std::ranges::find(event.backtrack, initial) != event.backtrack.end()) return;
    // What could come first was not always possible there: a thread that joins another one does not race with a second
    // start of it, though the first one made the join wait. Then everything is tried.
    const auto possible = std::ranges::find_if(
        initials, [&](ThreadId initial) { return std::ranges::find(event.enabled, initial) != event.enabled.end(); });
    if (possible != initials.end()) {
      event.backtrack.push_back(*possible);
      return;
    }
    for (ThreadId enabled : event.enabled)
      if (std::ranges::find(event.backtrack, enabled) == event.backtrack.end()) event.backtrack.push_back(enabled);
  }

  Machine& machine_;
  const SourceSetOptions& options_;
  SearchOptions search_;
  SourceSetResult result_;
  FindingList findings_;
  std::vector<Event> events_;
  std::vector<Clock> thread_clocks_;
  std::size_t leaves_ = 0;  // executions that ended or were given up
  bool ended_ = false;
};

}  // namespace

SourceSetResult source_set_search(Machine& machine, const SourceSetOptions& options) {
  return SourceSets{machine, options}.run();
}

}  // namespace lockwood::explorer
