#include "dpn/trees/fewest_switches.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "base/ids/sequence_table.hpp"
#include "dpn/trees/tree_joins.hpp"
#include "dpn/trees/tree_threads.hpp"

namespace lockwood::dpn {
namespace {

// A state of the search: for each thread how many of its moves are made, then the thread that made the last one.
using State = std::vector<std::uint32_t>;
using StateId = Id<struct SwitchStateTag>;

// A* search [hart.68.formal] over the states. A move of the running thread costs nothing, one of another thread is a
// switch. Only a move that takes a lock can hinder others. Any other move may as well be made at once if its thread
// runs: taken out of its later place in a schedule and made now, it disables nothing and adds no switch. So a run ends
// only before a move that takes a lock or that belongs to a later phase, or before a join that has to wait.
//
// The estimate of what is still to come: in this phase, each other thread that has moves left must run; in each later
// phase, all threads with moves in it but one. It never exceeds the truth, and a step lowers it by at most its cost, so
// a state has been reached at its least cost when it is taken from the queue.
class SwitchSearch {
 public:
  SwitchSearch(const Network& network, const ExecutionTree& tree, Semantics semantics)
      : network_{network},
        tree_{tree},
        threads_{threads_of(tree)},
        joins_{joins_of(network, tree, threads_)},
        moves_(threads_.starts.size()),
        creations_(threads_.starts.size()),
        ends_(threads_.phases),
        later_switches_(threads_.phases) {
    for (ThreadId thread : moves_.keys()) add_moves(thread, semantics);
    std::partial_sum(ends_.begin(), ends_.end(), ends_.begin());
    for (std::size_t phase = ends_.size() - 1; phase > 0; --phase)
      later_switches_[phase - 1] = later_switches_[phase] + std::max<std::size_t>(active_threads(phase), 1) - 1;
  }

  [[nodiscard]] std::size_t thread_count() const { return moves_.size(); }

  // No schedule has fewer switches.
  [[nodiscard]] std::size_t least() const { return estimate(start()); }

  // A schedule with the fewest switches. Nothing if more states than the bound are seen before, or there is none.
  std::optional<Schedule> run(std::size_t bound) {
    reach(start(), 0, StateId{0});
    // NOLINTNEXTLINE(modernize-loop-convert): the queue grows meanwhile
    for (std::size_t total = 0; total < queue_.size(); ++total) {
      while (!queue_[total].empty()) {
        const auto [id, cost] = queue_[total].back();
        queue_[total].pop_back();
        if (cost > reached_[id].cost) continue;  // it has been reached at a lower cost since
        const auto words = states_[id.index()];
        const State state(words.begin(), words.end());
        if (!phase_of(state)) return schedule(id);
        expand(id, state, bound);
        if (states_.size() > bound) return std::nullopt;
      }
    }
    return std::nullopt;
  }

 private:
  struct TreeMove {
    NodeId node;
    std::uint32_t phase;
    std::optional<Lock> takes;               // nothing if no other thread can be in its way
    std::optional<std::uint32_t> innermost;  // before it: the move that took the lock which the thread took last
    std::uint32_t run_end;                   // the first move after it that takes a lock, joins or is of a later phase
    const TreeJoin* join = nullptr;          // whom it waits for, if anyone
  };
  struct Creation {
    ThreadId parent;
    std::uint32_t move;
  };
  struct Reached {
    std::size_t cost = std::numeric_limits<std::size_t>::max();
    StateId from{0};
  };
  struct Entry {
    StateId state;
    std::size_t cost;
  };
  struct Holding {
    Lock lock;
    ThreadId thread;
  };

  void add_moves(ThreadId thread, Semantics semantics) {
    auto& moves = moves_[thread];
    std::vector<std::uint32_t> holding;  // moves that took a lock not yet given back
    for (NodeId node : threads_.path(thread)) {
      if (has_head(tree_.kind(node))) continue;
      const auto index = static_cast<std::uint32_t>(moves.size());
      moves.push_back({node, threads_.phase[node], {}, {}, index + 1});
      if (tree_.kind(node) == NodeKind::Join)
        moves.back().join = &*std::ranges::lower_bound(joins_.joins, node, {}, &TreeJoin::node);
      if (!holding.empty()) moves.back().innermost = holding.back();
      if (semantics == Semantics::LockSensitive && tree_.takes_lock(node)) {
        moves.back().takes = std::get<Monitor>(network_.rule(tree_.rule(node)).effect).lock;
        holding.push_back(index);
      }
      const NodeId entry = threads_.entry[node];
      if (entry != node && !holding.empty() && moves[holding.back()].node == entry) holding.pop_back();
      if (tree_.kind(node) == NodeKind::Spawn)
        creations_[threads_.thread[tree_.first_child(node)]] = Creation{thread, index};
      ++ends_[threads_.phase[node]];
    }
    for (std::size_t index = moves.size(); index-- > 1;)
      if (!moves[index].takes && moves[index].join == nullptr && moves[index].phase == moves[index - 1].phase)
        moves[index - 1].run_end = moves[index].run_end;
    finally_held_.push_back(holding.empty() ? std::nullopt : std::optional{holding.back()});
  }

  [[nodiscard]] std::size_t active_threads(std::size_t phase) const {
    return static_cast<std::size_t>(std::ranges::count_if(moves_, [phase](const std::vector<TreeMove>& moves) {
      const auto first = std::ranges::lower_bound(moves, phase, {}, &TreeMove::phase);
      return first != moves.end() && first->phase == phase;
    }));
  }

  [[nodiscard]] State start() const { return State(moves_.size() + 1, 0); }  // main is the first to run
  [[nodiscard]] static ThreadId running(const State& state) { return ThreadId{state.back()}; }
  [[nodiscard]] bool done(const State& state, ThreadId thread) const {
    return state[thread.index()] == moves_[thread].size();
  }
  [[nodiscard]] const TreeMove& next(const State& state, ThreadId thread) const {
    return moves_[thread][state[thread.index()]];
  }

  // The phase whose moves are to be made; nothing if all moves are made.
  [[nodiscard]] std::optional<std::uint32_t> phase_of(const State& state) const {
    std::optional<std::uint32_t> phase;
    for (ThreadId thread : moves_.keys())
      if (!done(state, thread)) phase = std::min(phase.value_or(next(state, thread).phase), next(state, thread).phase);
    return phase;
  }

  [[nodiscard]] std::size_t estimate(const State& state) const {
    const auto phase = phase_of(state);
    if (!phase) return 0;
    std::size_t others = 0;
    for (ThreadId thread : moves_.keys())
      if (thread != running(state) && !done(state, thread) && next(state, thread).phase == *phase) ++others;
    return others + later_switches_[*phase];
  }

  [[nodiscard]] std::vector<Holding> holdings(const State& state) const {
    std::vector<Holding> all;
    for (ThreadId thread : moves_.keys()) {
      auto taken = done(state, thread) ? finally_held_[thread] : next(state, thread).innermost;
      for (; taken; taken = moves_[thread][*taken].innermost) all.push_back({*moves_[thread][*taken].takes, thread});
    }
    return all;
  }

  void expand(StateId id, const State& state, std::size_t bound) {
    const std::uint32_t phase = *phase_of(state);
    const std::vector<Holding> held = holdings(state);
    for (ThreadId thread : moves_.keys()) {
      if (states_.size() > bound) return;
      if (done(state, thread) || next(state, thread).phase != phase) continue;
      if (const auto& creation = creations_[thread]; creation && state[creation->parent.index()] <= creation->move)
        continue;
      if (!joinable(state, thread)) continue;
      if (const auto lock = next(state, thread).takes;
          lock && std::ranges::any_of(held, [lock](const Holding& each) { return each.lock == *lock; }))
        continue;
      reach(after_run(state, thread), reached_[id].cost + (thread == running(state) ? 0 : 1), id);
    }
  }

  // Whether all that the thread's next move waits for, if anything, have made all their moves.
  [[nodiscard]] bool joinable(const State& state, ThreadId thread) const {
    const TreeJoin* join = next(state, thread).join;
    if (join == nullptr) return true;
    for (const AwaitedThreads& awaited : join->awaited)
      for (ThreadId each : IdRange<ThreadId>{awaited.first.index(), awaited.end.index()})
        if (!done(state, each)) return false;
    return true;
  }

  // After a move of the thread, and those that it may as well make at once.
  [[nodiscard]] State after_run(State state, ThreadId thread) const {
    state.back() = static_cast<std::uint32_t>(thread.index());
    do {
      state[thread.index()] = next(state, thread).run_end;
    } while (!done(state, thread) && !next(state, thread).takes && next(state, thread).phase == phase_of(state) &&
             joinable(state, thread));
    return state;
  }

  void reach(const State& state, std::size_t cost, StateId from) {
    const auto [number, is_new] = states_.intern(state);
    if (is_new) reached_.push_back({});
    const StateId id{number};
    if (cost >= reached_[id].cost) return;
    reached_[id] = {cost, from};
    const std::size_t total = cost + estimate(state);
    if (total >= queue_.size()) queue_.resize(total + 1);
    queue_[total].push_back({id, cost});
  }

  [[nodiscard]] Schedule schedule(StateId last) const {
    std::vector<StateId> way{last};
    while (way.back() != StateId{0}) way.push_back(reached_[way.back()].from);
    std::ranges::reverse(way);
    Schedule schedule;
    IdVector<ThreadId, ThreadId> number(moves_.size(), main_thread);  // in the order of creation
    std::size_t created = 1;
    for (std::size_t i = 1; i < way.size(); ++i) {
      const auto before = states_[way[i - 1].index()];
      const auto after = states_[way[i].index()];
      const ThreadId thread{after.back()};
      for (std::uint32_t move = before[thread.index()]; move < after[thread.index()]; ++move) {
        const NodeId node = moves_[thread][move].node;
        schedule.moves.push_back({number[thread], tree_.rule(node)});
        if (tree_.kind(node) == NodeKind::Spawn) number[threads_.thread[tree_.first_child(node)]] = ThreadId{created++};
      }
    }
    schedule.cuts.assign(ends_.begin(), ends_.end() - 1);
    return schedule;
  }

  const Network& network_;
  const ExecutionTree& tree_;
  TreeThreads threads_;
  TreeJoins joins_;
  IdVector<ThreadId, std::vector<TreeMove>> moves_;
  IdVector<ThreadId, std::optional<std::uint32_t>> finally_held_;  // like `innermost`, after all moves
  IdVector<ThreadId, std::optional<Creation>> creations_;          // of all threads but main
  std::vector<std::size_t> ends_;                                  // the number of moves in the phases up to this one
  std::vector<std::size_t> later_switches_;                        // by phase: at least so many in those after it
  SequenceTable<> states_;
  IdVector<StateId, Reached> reached_;
  std::vector<std::vector<Entry>> queue_;  // by cost so far plus estimate
};

}  // namespace

std::size_t switches(const Schedule& schedule) {
  std::size_t count = 0;
  for (std::size_t i = 1; i < schedule.moves.size(); ++i)
    if (schedule.moves[i].thread != schedule.moves[i - 1].thread) ++count;
  return count;
}

std::optional<FewestSwitches> fewest_switches(const Network& network, const ExecutionTree& tree, Semantics semantics,
                                              const SwitchSearchBounds& bounds) {
  auto known = schedule_of(network, tree, semantics);
  if (!known) return std::nullopt;
  SwitchSearch search{network, tree, semantics};
  if (switches(*known) == search.least()) return FewestSwitches{std::move(*known), true};
  if (auto best = search.run(std::min(bounds.states, bounds.words / search.thread_count())))
    return FewestSwitches{std::move(*best), true};
  return FewestSwitches{std::move(*known), false};
}

}  // namespace lockwood::dpn
