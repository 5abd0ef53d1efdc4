#include "explorer/search/wakeup_trees.hpp"

#include <algorithm>
#include <cassert>

#include "explorer/search/event_order.hpp"
#include "explorer/search/expansion.hpp"

namespace lockwood::explorer {
namespace {

// Sequences that are to be executed from a state, with common beginnings. A branch without branches: then whatever is
// possible.
struct Branch {
  Step step;
  Action action;
  std::vector<Branch> next;
};
using WakeupTree = std::vector<Branch>;  // in the order in which they are explored

// A part of an execution, in its order.
struct Element {
  Step step;
  Action action;
  std::vector<bool> after;  // by position before this one: whether that happens before it
};
using Sequence = std::vector<Element>;

// A state on the way, and the step that is explored from there.
struct Level {
  std::size_t mark;                  // of the machine
  std::vector<Action> next;          // by thread, what it is before
  std::vector<ThreadId> enabled;     // ascending
  std::vector<ThreadId> sleep;       // explored here, or before and not woken since
  std::vector<Clock> thread_clocks;  // of the last event of each thread, or of what made it able to move
  WakeupTree tree;                   // still to be explored
  std::uint32_t outcomes = 0;        // of the step's action, explored
  Step step{ThreadId{0}, 0};
  Action action;
  std::uint32_t number = 0;  // of the step among those of its thread, from 1
  Clock clock;               // of the step, itself included
  bool fails = false;        // the step is a second start of a thread, which orders nothing but other starts
};

bool is_one_of(const std::vector<ThreadId>& threads, ThreadId thread) {
  return std::ranges::find(threads, thread) != threads.end();
}

class WakeupTrees {
 public:
  WakeupTrees(Machine& machine, const SourceSetOptions& options)
      : machine_{machine},
        options_{options},
        search_{.properties = options.properties},
        findings_{search_, result_.search} {}

  SourceSetResult run() && {
    const std::size_t root = machine_.mark();
    arrive({}, {});
    while (!levels_.empty() && !ended_) advance();
    machine_.undo(root);
    return std::move(result_);
  }

 private:
  // The machine is at the state behind the last level.
  void arrive(std::vector<ThreadId> sleep, WakeupTree tree) {
    look();
    if (ended_) return;
    const auto threads = machine_.threads();
    thread_clocks_.resize(threads.size());
    if (is_final(machine_)) {
      ++result_.executions;
      find_races();
      return leave();
    }
    if (levels_.size() >= options_.max_depth) {
      result_.search.omissions.depth = true;
      return leave();
    }
    Level level{.mark = machine_.mark(),
                .next = {},
                .enabled = {},
                .sleep = std::move(sleep),
                .thread_clocks = thread_clocks_,
                .tree = std::move(tree),
                .action = {},
                .clock = {}};
    for (std::size_t i = 0; i < threads.size(); ++i) {
      level.next.push_back(threads[i].next);
      if (threads[i].enabled) level.enabled.emplace_back(i);
    }
    if (level.tree.empty()) {
      const auto free =
          std::ranges::find_if(level.enabled, [&](ThreadId thread) { return !is_one_of(level.sleep, thread); });
      if (free == level.enabled.end()) {
        ++result_.redundant;
        return leave();
      }
      level.tree.push_back({.step = {*free, 0}, .action = level.next[free->index()], .next = {}});
    }
    levels_.push_back(std::move(level));
  }

  void look() {
    SearchResult& result = result_.search;
    if (options_.listener != nullptr) options_.listener->visit(machine_);
    if ((++result.counters.states & 1023U) == 0)
      options_.stop.report_progress({result.counters.states, result_.executions});
    result.counters.max_depth = std::max(result.counters.max_depth, levels_.size());
    const std::size_t added = findings_.add(machine_);
    for (std::size_t i = result.findings.size() - added; i < result.findings.size(); ++i)
      for (const Level& level : levels_) result.findings[i].run.push_back(level.step);
    if (added > 0 && options_.first_finding_only) {
      result.omissions.finding = true;
      ended_ = true;
    }
    if (const auto reason = options_.stop.reason()) {
      result.omissions.stopped = reason;
      ended_ = true;
    }
  }

  // An execution is over, in whatever way.
  void leave() {
    if (++leaves_ < options_.max_executions) return;
    result_.search.omissions.states = true;
    ended_ = true;
  }

  // Takes the next step from the last level, or leaves it.
  void advance() {
    Level& level = levels_.back();
    machine_.undo(level.mark);
    thread_clocks_ = level.thread_clocks;
    if (level.outcomes > 0) {
      if (level.outcomes < view(machine_, level.step.thread).outcomes) {
        level.step.outcome = level.outcomes++;
        return execute(subtree(level));
      }
      level.sleep.push_back(level.step.thread);
      level.outcomes = 0;
    }
    // What was explored meanwhile may stand for the rest.
    std::erase_if(level.tree, [&](const Branch& branch) { return is_one_of(level.sleep, branch.step.thread); });
    if (level.tree.empty()) {
      levels_.pop_back();
      return;
    }
    const ThreadId thread = level.tree.front().step.thread;
    if (!is_one_of(level.enabled, thread)) return try_all(level);
    level.step = {thread, 0};
    level.action = level.next[thread.index()];
    level.outcomes = 1;
    execute(subtree(level));
  }

  // What the tree wants is not possible: a second start of a thread stands for the first one, which made a join wait.
  void try_all(Level& level) {
    level.tree.erase(level.tree.begin());
    for (ThreadId thread : level.enabled)
      level.tree.push_back({.step = {thread, 0}, .action = level.next[thread.index()], .next = {}});
  }

  // Takes what is to be explored behind the step out of the tree.
  static WakeupTree subtree(Level& level) {
    const auto branch = std::ranges::find(level.tree, level.step, &Branch::step);
    if (branch == level.tree.end()) return {};
    WakeupTree tree = std::move(branch->next);
    level.tree.erase(branch);
    return tree;
  }

  void execute(WakeupTree tree) {
    Level& level = levels_.back();
    const ThreadId thread = level.step.thread;
    std::vector<ThreadId> sleep;
    for (ThreadId other : level.sleep)
      if (!dependent_in_runs(options_.dependence, level.next[other.index()], level.action)) sleep.push_back(other);
    level.fails = level.action.kind == ActionKind::Start &&
                  view(machine_, thread_of(level.action)).status != ThreadStatus::Absent;
    level.clock = clock_of(levels_.size() - 1, thread, level.action);
    level.number =
        1 +
        (thread.index() < thread_clocks_[thread.index()].size() ? thread_clocks_[thread.index()][thread.index()] : 0);
    if (level.clock.size() <= thread.index()) level.clock.resize(thread.index() + 1);
    level.clock[thread.index()] = level.number;
    const bool starts = level.action.kind == ActionKind::Start && !level.fails;
    std::vector<bool> waited;
    for (const ThreadView& each : machine_.threads()) waited.push_back(each.status == ThreadStatus::Waiting);
    ++result_.search.counters.steps;
    if (const auto bound = machine_.step(level.step)) {
      result_.search.omissions.bounds[static_cast<std::size_t>(*bound)] = true;
      return;
    }
    thread_clocks_.resize(machine_.threads().size());
    thread_clocks_[thread.index()] = level.clock;
    if (starts) join(thread_clocks_[thread_of(level.action).index()], level.clock);
    for (std::size_t i = 0; i < waited.size(); ++i)
      if (waited[i] && machine_.threads()[i].status != ThreadStatus::Waiting) join(thread_clocks_[i], level.clock);
    arrive(std::move(sleep), std::move(tree));
  }

  // What happens before the action, if the thread executes it behind the first levels.
  [[nodiscard]] Clock clock_of(std::size_t levels, ThreadId thread, const Action& action) const {
    Clock clock = thread_clocks_[thread.index()];
    for (std::size_t i = 0; i < levels; ++i)
      if (levels_[i].step.thread != thread && are_ordered(options_.dependence, levels_[i].action, action) &&
          !are_apart(levels_[i], action))
        join(clock, levels_[i].clock);
    if (action.kind == ActionKind::Join) {
      const std::size_t joined = thread_of(action).index();
      if (joined < thread_clocks_.size()) join(clock, thread_clocks_[joined]);
    }
    return clock;
  }

  // A start that fails has nothing to do with who waits for the thread.
  [[nodiscard]] static bool are_apart(const Level& level, const Action& action) {
    return level.fails && action.kind == ActionKind::Join;
  }

  // The execution is over.
  void find_races() {
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      const Level& level = levels_[i];
      find_races(i, level.step, level.action, level.thread_clocks[level.step.thread.index()]);
    }
    const auto threads = machine_.threads();
    for (std::size_t i = 0; i < threads.size(); ++i)
      if (threads[i].status == ThreadStatus::Standing)
        find_races(levels_.size(), {ThreadId{i}, 0}, threads[i].next, thread_clocks_[i]);
  }

  // Races of the step, which is at this place of the execution, with earlier ones: dependent, not before what its
  // thread has done, and no other such event between.
  void find_races(std::size_t place, Step step, const Action& action, const Clock& clock) {
    std::vector<std::size_t> races;
    for (std::size_t i = place; i-- > 0;) {
      const Level& level = levels_[i];
      if (level.step.thread == step.thread || !dependent_in_runs(options_.dependence, level.action, action) ||
          is_before(level.step.thread, level.number, clock) || are_apart(level, action))
        continue;
      if (std::ranges::any_of(races, [&](std::size_t later) {
            return is_before(level.step.thread, level.number, levels_[later].clock);
          }))
        continue;
      races.push_back(i);
      turn_round(i, place, step, action, clock);
    }
  }

  void turn_round(std::size_t first, std::size_t place, Step step, const Action& action, const Clock& clock) {
    Level& level = levels_[first];
    std::vector<std::size_t> kept;
    Sequence sequence;
    const auto add = [&](Step added, const Action& its, const auto& is_after) {
      Element element{.step = added, .action = its, .after = {}};
      for (std::size_t earlier : kept) element.after.push_back(is_after(earlier));
      sequence.push_back(std::move(element));
    };
    for (std::size_t i = first + 1; i < place; ++i) {
      const Level& between = levels_[i];
      if (is_before(level.step.thread, level.number, between.clock)) continue;
      add(between.step, between.action,
          [&](std::size_t j) { return is_before(levels_[j].step.thread, levels_[j].number, between.clock); });
      kept.push_back(i);
    }
    // Here, the step is ordered only behind what is left of the execution.
    Clock before = clock;
    for (std::size_t i : kept)
      if (levels_[i].step.thread != step.thread && are_ordered(options_.dependence, levels_[i].action, action))
        join(before, levels_[i].clock);
    if (action.kind == ActionKind::Join)
      for (std::size_t i : kept)
        if (levels_[i].step.thread == thread_of(action)) join(before, levels_[i].clock);
    add(step, action, [&](std::size_t j) { return is_before(levels_[j].step.thread, levels_[j].number, before); });
    for (ThreadId asleep : level.sleep)
      if (can_begin(sequence, asleep, level.next[asleep.index()])) return;
    insert(level.tree, std::move(sequence));
  }

  // Whether the thread, which is before this action, can go first: its first step is behind no other one, or it has
  // none, and its action commutes with all (a weak initial).
  [[nodiscard]] bool can_begin(const Sequence& sequence, ThreadId thread, const Action& action) const {
    const std::size_t own = position(sequence, thread);
    if (own < sequence.size()) return std::ranges::find(sequence[own].after, true) == sequence[own].after.end();
    return std::ranges::none_of(
        sequence, [&](const Element& element) { return are_ordered(options_.dependence, element.action, action); });
  }
  [[nodiscard]] static std::size_t position(const Sequence& sequence, ThreadId thread) {
    const auto own =
        std::ranges::find_if(sequence, [&](const Element& element) { return element.step.thread == thread; });
    return static_cast<std::size_t>(own - sequence.begin());
  }
  static void erase(Sequence& sequence, std::size_t place) {
    sequence.erase(sequence.begin() + static_cast<std::ptrdiff_t>(place));
    for (std::size_t i = place; i < sequence.size(); ++i)
      sequence[i].after.erase(sequence[i].after.begin() + static_cast<std::ptrdiff_t>(place));
  }

  // Puts the sequence into the tree, unless a branch stands for it.
  void insert(WakeupTree& root, Sequence sequence) const {
    WakeupTree* tree = &root;
    while (!sequence.empty()) {
      const auto branch = std::ranges::find_if(
          *tree, [&](const Branch& each) { return can_begin(sequence, each.step.thread, each.action); });
      if (branch == tree->end()) break;
      const std::size_t own = position(sequence, branch->step.thread);
      auto chosen = branch;
      if (own < sequence.size()) {
        // The same thread with the outcome that is meant: all outcomes are explored one after the other.
        chosen = std::ranges::find(*tree, sequence[own].step, &Branch::step);
        if (chosen == tree->end()) {
          std::rotate(sequence.begin(), sequence.begin() + static_cast<std::ptrdiff_t>(own),
                      sequence.begin() + static_cast<std::ptrdiff_t>(own) + 1);
          break;
        }
        erase(sequence, own);
      }
      if (chosen->next.empty()) return;
      tree = &chosen->next;
    }
    for (const Element& element : sequence) {
      tree->push_back({.step = element.step, .action = element.action, .next = {}});
      tree = &tree->back().next;
    }
  }

  Machine& machine_;
  const SourceSetOptions& options_;
  SearchOptions search_;
  SourceSetResult result_;
  FindingList findings_;
  std::vector<Level> levels_;
  std::vector<Clock> thread_clocks_;
  std::size_t leaves_ = 0;
  bool ended_ = false;
};

}  // namespace

SourceSetResult wakeup_tree_search(Machine& machine, const SourceSetOptions& options) {
  return WakeupTrees{machine, options}.run();
}

}  // namespace lockwood::explorer
