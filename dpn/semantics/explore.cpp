#include "dpn/semantics/explore.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <span>

#include "base/ids/sequence_table.hpp"
#include "dpn/semantics/live_threads.hpp"
#include "dpn/semantics/positions.hpp"
#include "dpn/semantics/thread_space.hpp"

namespace lockwood::dpn {
namespace {

using Node = Id<struct NodeTag>;

// What a query step asks for, by table lookup.
struct StepTest {
  StepTest(const Network& network, const QueryStep& step)
      : positions{network, step},
        avoided(network.actions().size()),
        required(network.actions().size()),
        requires_nothing{step.requiring.empty()} {
    for (Action action : step.avoiding) avoided[action] = true;
    for (Action action : step.requiring) required[action] = true;
  }

  Positions positions;
  IdVector<Action, bool> avoided;
  IdVector<Action, bool> required;
  bool requires_nothing;
};

// Where a search stands within a query. Done once nothing more is required in the step: from the start if it requires
// nothing, so that the two cases are one.
struct Progress {
  std::size_t step = 0;
  bool done = true;
  friend bool operator==(const Progress&, const Progress&) = default;
};

std::uint32_t to_word(Progress progress) {
  return static_cast<std::uint32_t>(2 * progress.step + (progress.done ? 1 : 0));
}
Progress to_progress(std::uint32_t word) { return {word / 2, word % 2 == 1}; }

// The visited nodes (configuration, progress) in breadth-first order, each with the node it was first reached from.
class Visited {
 public:
  Visited(std::size_t bound, bool with_ties)
      : with_ties_{with_ties}, bound_{std::min<std::size_t>(bound, std::numeric_limits<std::uint32_t>::max() - 2)} {}

  enum class Outcome { New, Known, BeyondBound };
  Outcome add(const LiveThreads& threads, Progress progress, std::optional<Node> from) {
    key_.assign(1, to_word(progress));
    threads.append_to(key_);
    if (size() >= bound_ && size() > 0) return nodes_.contains(key_) ? Outcome::Known : Outcome::BeyondBound;
    if (!nodes_.intern(key_).is_new) return Outcome::Known;
    from_.push_back(from.value_or(Node{0}));
    return Outcome::New;
  }

  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  [[nodiscard]] bool is_start(Node node) const { return node == Node{0}; }
  [[nodiscard]] Node from(Node node) const { return from_[node]; }
  [[nodiscard]] Progress progress(Node node) const { return to_progress(nodes_[node.index()][0]); }
  void get_threads(Node node, LiveThreads& threads) const { threads.read(nodes_[node.index()].subspan(1), with_ties_); }

 private:
  bool with_ties_;
  std::size_t bound_;
  SequenceTable<> nodes_;
  IdVector<Node, Node> from_;
  std::vector<std::uint32_t> key_;
};

// The moves between canonical configurations.
class Transitions {
 public:
  Transitions(const Network& network, Semantics semantics, const ExploreBounds& bounds)
      : network_{network}, space_{network, bounds.stack_depth}, semantics_{semantics} {}

  [[nodiscard]] ThreadSpace& space() { return space_; }

  [[nodiscard]] LiveThreads start() {
    LiveThreads threads{.states = {space_.start(network_.initial())}, .ties = {}};
    if (network_.uses_groups()) threads.ties.emplace_back();
    return threads;
  }

  // Whether another thread than the mover holds the lock that the step needs, or is a member that it joins.
  [[nodiscard]] bool waits(const LiveThreads& threads, std::size_t mover, const ThreadStep& step) const {
    if (network_.uses_groups() && waits_for_member(space_, network_.rule(step.rule), threads, mover)) return true;
    if (!step.lock || semantics_ == Semantics::LockInsensitive) return false;
    for (std::size_t other = 0; other < threads.states.size(); ++other)
      if (other != mover && space_.holds(threads.states[other], *step.lock)) return true;
    return false;
  }

  // Calls visit(mover, step) for each step of each thread, of threads in equal states only for the first, if there are
  // no groups; also for steps that wait or are too deep.
  template <class Visit>
  void for_each_step(const LiveThreads& threads, Visit visit) {
    const auto& states = threads.states;
    for (std::size_t mover = 0; mover < states.size(); ++mover) {
      if (mover > 0 && states[mover] == states[mover - 1] && !network_.uses_groups()) continue;
      for (const ThreadStep& step : space_.steps(states[mover])) visit(mover, step);
    }
  }

  // The configuration after a step that is not too deep. If there are groups, also where its threads were before.
  void get_successor(const LiveThreads& threads, std::size_t mover, const ThreadStep& step, LiveThreads& successor,
                     Origins& origins) const {
    if (network_.uses_groups()) {
      const Rule& rule = network_.rule(step.rule);
      return get_successor_with_groups(space_, rule, threads, mover, step, successor, origins);
    }
    auto& states = successor.states;
    states = threads.states;
    states.erase(states.begin() + static_cast<std::ptrdiff_t>(mover));
    const auto insert = [&](ThreadState thread) { states.insert(std::ranges::upper_bound(states, thread), thread); };
    if (step.to) insert(*step.to);
    if (step.spawned) insert(*step.spawned);
  }

 private:
  const Network& network_;
  ThreadSpace space_;
  Semantics semantics_;
};

// Breadth-first search over nodes. Going on to the next query step takes no move, so it is done as soon as a node is
// discovered; hence nodes are discovered in the order of their distance, and the first goal is a nearest one.
class BreadthFirstSearch {
 public:
  BreadthFirstSearch(const Network& network, Semantics semantics, std::vector<StepTest> steps,
                     const ExploreBounds& bounds, StopToken stop)
      : network_{network},
        bounds_{bounds},
        stop_{stop},
        steps_{std::move(steps)},
        transitions_{network, semantics, bounds},
        visited_{bounds.configurations, network.uses_groups()} {}

  void run() {
    successor_ = transitions_.start();
    discover(begin(0), std::nullopt);
    for (Node node{0}; node.index() < visited_.size() && !finished(); node = Node{node.index() + 1}) expand(node);
  }

  [[nodiscard]] std::optional<Node> goal() const { return goal_; }
  [[nodiscard]] std::optional<Node> first_deadlock() const { return first_deadlock_; }
  [[nodiscard]] const Omissions& omissions() const { return omissions_; }
  [[nodiscard]] std::size_t visited() const { return visited_.size(); }
  // Everything but the omissions and the schedule.
  [[nodiscard]] const Exploration& statistics() const { return statistics_; }

  // The moves from the initial configuration to the node, one list per query step begun on the way.
  [[nodiscard]] std::vector<std::vector<Move>> schedule_to(Node node);

 private:
  [[nodiscard]] Progress begin(std::size_t step) const {
    return {step, steps_.empty() || steps_[step].requires_nothing};
  }
  // Stopping at the bound on configurations loses nothing: whatever is found later, there are unvisited ones.
  [[nodiscard]] bool finished() {
    if (goal_ || omissions_.configurations) return true;
    if (stop_.stop_requested()) omissions_.stopped = stop_.reason();
    return omissions_.stopped.has_value();
  }
  [[nodiscard]] bool avoided(Progress progress, const ThreadStep& step) const {
    return !steps_.empty() && steps_[progress.step].avoided[network_.rule(step.rule).action];
  }
  [[nodiscard]] Progress after(Progress progress, const ThreadStep& step) const {
    if (!progress.done) progress.done = steps_[progress.step].required[network_.rule(step.rule).action];
    return progress;
  }
  [[nodiscard]] bool within_bounds(std::size_t threads, const ThreadStep& step) {
    if (step.too_deep) omissions_.stack_depth = true;
    if (step.too_deep) return false;
    if (!step.spawned || threads < bounds_.threads) return true;
    omissions_.threads = true;
    return false;
  }

  void expand(Node node);
  void discover(Progress progress, std::optional<Node> from);
  [[nodiscard]] bool occupied(const Positions& positions);
  // The threads of a real configuration: of each its state, none if it has ended; with groups, which of the threads of
  // the canonical configuration are which of the real one.
  struct Names {
    std::vector<std::optional<ThreadState>> states;
    std::vector<ThreadId> threads;
    std::size_t started = 1;
  };
  [[nodiscard]] Move move_between(Node from, Node to, Names& names);

  const Network& network_;
  ExploreBounds bounds_;
  StopToken stop_;
  std::vector<StepTest> steps_;  // empty: just visit everything
  Transitions transitions_;
  Visited visited_;
  Omissions omissions_;
  Exploration statistics_;
  std::optional<Node> goal_;
  std::optional<Node> first_deadlock_;
  LiveThreads current_, successor_;  // kept to save allocations
  Origins origins_;
  std::vector<StackSymbol> tops_;
};

void BreadthFirstSearch::expand(Node node) {
  const Progress progress = visited_.progress(node);
  visited_.get_threads(node, current_);
  bool waits = false;
  bool enabled = false;
  transitions_.for_each_step(current_, [&](std::size_t mover, const ThreadStep& step) {
    if (goal_ || avoided(progress, step)) return;
    if (transitions_.waits(current_, mover, step)) {
      waits = true;
      return;
    }
    enabled = true;
    if (!within_bounds(current_.states.size(), step)) return;
    ++statistics_.moves;
    transitions_.get_successor(current_, mover, step, successor_, origins_);
    discover(after(progress, step), node);
  });
  if (!waits || enabled) return;
  ++statistics_.deadlocked;
  if (!first_deadlock_) first_deadlock_ = node;
}

// Adds successor_ with this progress, and with what follows from it without a move.
void BreadthFirstSearch::discover(Progress progress, std::optional<Node> from) {
  while (true) {
    const auto outcome = visited_.add(successor_, progress, from);
    if (outcome == Visited::Outcome::BeyondBound) omissions_.configurations = true;
    if (outcome != Visited::Outcome::New) return;
    const Node node{visited_.size() - 1};
    statistics_.threads = std::max(statistics_.threads, successor_.states.size());
    for (ThreadState thread : successor_.states)
      statistics_.stack_depth = std::max(statistics_.stack_depth, transitions_.space().depth(thread));
    if (steps_.empty() || !progress.done || !occupied(steps_[progress.step].positions)) return;
    if (progress.step + 1 == steps_.size()) {
      goal_ = node;
      return;
    }
    progress = begin(progress.step + 1);
    from = node;
  }
}

bool BreadthFirstSearch::occupied(const Positions& positions) {
  tops_.clear();
  for (ThreadState thread : successor_.states) tops_.push_back(transitions_.space().head(thread).top);
  return positions.occupied(tops_);
}

// Nodes do not store the move that led to them: it is found again by making the moves of the node before.
std::vector<std::vector<Move>> BreadthFirstSearch::schedule_to(Node node) {
  std::vector<Node> path{node};
  while (!visited_.is_start(path.back())) path.push_back(visited_.from(path.back()));
  std::ranges::reverse(path);

  std::vector<std::vector<Move>> schedule(1);
  Names names{.states = {transitions_.space().start(network_.initial())}, .threads = {main_thread}};
  for (std::size_t i = 1; i < path.size(); ++i) {
    if (visited_.progress(path[i]).step != visited_.progress(path[i - 1]).step)
      schedule.emplace_back();
    else
      schedule.back().push_back(move_between(path[i - 1], path[i], names));
  }
  return schedule;
}

// `names` is kept up to date. Without groups, of several threads in the same state any may move: what they leave behind
// is the same configuration.
Move BreadthFirstSearch::move_between(Node from, Node to, Names& names) {
  LiveThreads goal;
  visited_.get_threads(from, current_);
  visited_.get_threads(to, goal);
  const Progress progress = visited_.progress(from);
  std::optional<Move> move;
  transitions_.for_each_step(current_, [&](std::size_t mover, const ThreadStep& step) {
    if (move || avoided(progress, step) || step.too_deep || transitions_.waits(current_, mover, step)) return;
    transitions_.get_successor(current_, mover, step, successor_, origins_);
    if (successor_ != goal || after(progress, step) != visited_.progress(to)) return;
    if (network_.uses_groups()) {
      move = Move{names.threads[mover], step.rule};
      std::vector<ThreadId> threads;
      for (const auto origin : origins_) threads.push_back(origin ? names.threads[*origin] : ThreadId{names.started});
      names.threads = std::move(threads);
      if (step.spawned) ++names.started;
      return;
    }
    const auto name = std::ranges::find(names.states, std::optional{current_.states[mover]});
    assert(name != names.states.end());
    move = Move{ThreadId{static_cast<std::size_t>(name - names.states.begin())}, step.rule};
    *name = step.to;
    if (step.spawned) names.states.push_back(step.spawned);
  });
  assert(move.has_value());
  return *move;
}

}  // namespace

ExploreAnswer explore_query(const Network& network, const Query& query, const ExploreBounds& bounds, StopToken stop) {
  assert(!query.steps.empty());
  std::vector<StepTest> steps;
  for (const QueryStep& step : query.steps) steps.emplace_back(network, step);
  BreadthFirstSearch search{network, query.semantics, std::move(steps), bounds, stop};
  search.run();

  ExploreAnswer answer;
  answer.omissions = search.omissions();
  answer.configurations = search.visited();
  if (search.goal()) {
    answer.verdict = Verdict::Reachable;
    answer.schedule = search.schedule_to(*search.goal());
  } else {
    answer.verdict = answer.exhaustive() ? Verdict::Unreachable : Verdict::Unknown;
  }
  return answer;
}

Exploration explore(const Network& network, Semantics semantics, const ExploreBounds& bounds, StopToken stop) {
  BreadthFirstSearch search{network, semantics, {}, bounds, stop};
  search.run();
  Exploration exploration = search.statistics();
  exploration.omissions = search.omissions();
  exploration.configurations = search.visited();
  if (search.first_deadlock()) exploration.deadlock = search.schedule_to(*search.first_deadlock()).front();
  return exploration;
}

}  // namespace lockwood::dpn
