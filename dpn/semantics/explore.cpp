#include "dpn/semantics/explore.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <span>

#include "base/ids/sequence_table.hpp"
#include "dpn/semantics/positions.hpp"
#include "dpn/semantics/thread_space.hpp"

namespace lockwood::dpn {
namespace {

using Threads = std::vector<ThreadState>;  // ascending: a canonical configuration
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
  explicit Visited(std::size_t bound)
      : bound_{std::min<std::size_t>(bound, std::numeric_limits<std::uint32_t>::max() - 2)} {}

  enum class Outcome { New, Known, BeyondBound };
  Outcome add(const Threads& threads, Progress progress, std::optional<Node> from) {
    key_.assign(1, to_word(progress));
    for (ThreadState thread : threads) key_.push_back(static_cast<std::uint32_t>(thread.index()));
    if (size() >= bound_ && size() > 0) return nodes_.contains(key_) ? Outcome::Known : Outcome::BeyondBound;
    if (!nodes_.intern(key_).is_new) return Outcome::Known;
    from_.push_back(from.value_or(Node{0}));
    return Outcome::New;
  }

  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  [[nodiscard]] bool is_start(Node node) const { return node == Node{0}; }
  [[nodiscard]] Node from(Node node) const { return from_[node]; }
  [[nodiscard]] Progress progress(Node node) const { return to_progress(nodes_[node.index()][0]); }
  void get_threads(Node node, Threads& threads) const {
    threads.clear();
    for (std::uint32_t word : nodes_[node.index()].subspan(1)) threads.emplace_back(word);
  }

 private:
  std::size_t bound_;
  SequenceTable<> nodes_;
  IdVector<Node, Node> from_;
  std::vector<std::uint32_t> key_;
};

// The moves between canonical configurations.
class Transitions {
 public:
  Transitions(const Network& network, Semantics semantics, const ExploreBounds& bounds)
      : space_{network, bounds.stack_depth}, semantics_{semantics} {}

  [[nodiscard]] ThreadSpace& space() { return space_; }

  // Whether another thread than the mover holds the lock that the step needs.
  [[nodiscard]] bool waits(const Threads& threads, std::size_t mover, const ThreadStep& step) const {
    if (!step.lock || semantics_ == Semantics::LockInsensitive) return false;
    for (std::size_t other = 0; other < threads.size(); ++other)
      if (other != mover && space_.holds(threads[other], *step.lock)) return true;
    return false;
  }

  // Calls visit(mover, step) for each step of each thread, of threads in equal states only for the first; also for
  // steps that wait or are too deep.
  template <class Visit>
  void for_each_step(const Threads& threads, Visit visit) {
    for (std::size_t mover = 0; mover < threads.size(); ++mover) {
      if (mover > 0 && threads[mover] == threads[mover - 1]) continue;
      for (const ThreadStep& step : space_.steps(threads[mover])) visit(mover, step);
    }
  }

  // The configuration after a step that is not too deep.
  static void get_successor(const Threads& threads, std::size_t mover, const ThreadStep& step, Threads& successor) {
    successor = threads;
    successor.erase(successor.begin() + static_cast<std::ptrdiff_t>(mover));
    const auto insert = [&](ThreadState thread) {
      successor.insert(std::ranges::upper_bound(successor, thread), thread);
    };
    if (step.to) insert(*step.to);
    if (step.spawned) insert(*step.spawned);
  }

 private:
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
        visited_{bounds.configurations} {}

  void run() {
    successor_ = {transitions_.space().start(network_.initial())};
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
  [[nodiscard]] Move move_between(Node from, Node to, std::vector<std::optional<ThreadState>>& names);

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
  Threads current_, successor_;  // kept to save allocations
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
    if (!within_bounds(current_.size(), step)) return;
    ++statistics_.moves;
    Transitions::get_successor(current_, mover, step, successor_);
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
    statistics_.threads = std::max(statistics_.threads, successor_.size());
    for (ThreadState thread : successor_)
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
  for (ThreadState thread : successor_) tops_.push_back(transitions_.space().head(thread).top);
  return positions.occupied(tops_);
}

// Nodes do not store the move that led to them: it is found again by making the moves of the node before.
std::vector<std::vector<Move>> BreadthFirstSearch::schedule_to(Node node) {
  std::vector<Node> path{node};
  while (!visited_.is_start(path.back())) path.push_back(visited_.from(path.back()));
  std::ranges::reverse(path);

  std::vector<std::vector<Move>> schedule(1);
  std::vector<std::optional<ThreadState>> names{transitions_.space().start(network_.initial())};
  for (std::size_t i = 1; i < path.size(); ++i) {
    if (visited_.progress(path[i]).step != visited_.progress(path[i - 1]).step)
      schedule.emplace_back();
    else
      schedule.back().push_back(move_between(path[i - 1], path[i], names));
  }
  return schedule;
}

// `names` says in which state each thread of the real configuration is, ended ones in none; it is kept up to date.
// Of several threads in the same state any may move: what they leave behind is the same configuration.
Move BreadthFirstSearch::move_between(Node from, Node to, std::vector<std::optional<ThreadState>>& names) {
  Threads goal;
  visited_.get_threads(from, current_);
  visited_.get_threads(to, goal);
  const Progress progress = visited_.progress(from);
  std::optional<Move> move;
  transitions_.for_each_step(current_, [&](std::size_t mover, const ThreadStep& step) {
    if (move || avoided(progress, step) || step.too_deep || transitions_.waits(current_, mover, step)) return;
    Transitions::get_successor(current_, mover, step, successor_);
    if (successor_ != goal || after(progress, step) != visited_.progress(to)) return;
    const auto name = std::ranges::find(names, std::optional{current_[mover]});
    assert(name != names.end());
    move = Move{ThreadId{static_cast<std::size_t>(name - names.begin())}, step.rule};
    *name = step.to;
    if (step.spawned) names.push_back(step.spawned);
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
