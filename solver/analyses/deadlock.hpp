#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "base/process/stop.hpp"
#include "dpn/model/network.hpp"
#include "solver/analyses/lock_graph.hpp"
#include "solver/analyses/solve.hpp"
#include "solver/locks/lock_set.hpp"

namespace lockwood::solver {

struct DeadlockOptions {
  std::size_t max_cycles = 10'000;
  // If given, a cycle that closes is told of once for each combination of places at which its threads can stand;
  // symbols with the same number are one place. If there are more than `max_combinations`, each place is told of at
  // least once.
  std::function<std::size_t(dpn::StackSymbol)> place_of = {};
  std::size_t max_combinations = 256;
  // Symbols before monitors that are entered only if the lock is free: nobody waits there. Ascending.
  std::vector<dpn::StackSymbol> never_waits = {};
  SolveOptions solving;                                                      // of each question, and whether to stop
  std::function<void(std::size_t number, std::size_t total)> on_cycle = {};  // before each, from 1
};

// Locks in a cycle, each held by a thread that waits until the next one is free: because it wants to take it, or
// because it is before a join that waits for a thread which wants to take it, directly or through further joins. All
// these threads are different.
struct CycleShape {
  std::vector<Lock> locks;          // all different
  std::vector<bool> through_joins;  // by lock: who holds it waits in a join

  [[nodiscard]] static CycleShape of_locks(std::vector<Lock> locks) {
    std::vector<bool> none(locks.size(), false);
    return {std::move(locks), std::move(none)};
  }
  [[nodiscard]] std::size_t size() const { return locks.size(); }
  [[nodiscard]] Lock wanted(std::size_t i) const { return locks[(i + 1) % locks.size()]; }
  [[nodiscard]] bool has_joins() const {
    return std::find(through_joins.begin(), through_joins.end(), true) != through_joins.end();
  }
  friend auto operator<=>(const CycleShape&, const CycleShape&) = default;
};

struct LockCycle {
  CycleShape shape;
  // By goal of its problem: where the thread stands that meets it; anywhere if there is nothing.
  std::vector<std::vector<dpn::StackSymbol>> places = {};
  Answer answer = {};  // whether the threads can all stand so at the same time
};

struct Deadlocks {
  std::vector<LockCycle>
      cycles;            // every cycle of the lock graph, decided one by one; those that close, perhaps by place
  bool complete = true;  // false if there are more cycles than looked at
  std::optional<StopReason> stopped;
};

// The question whether threads can be in that cycle, there if places are given. For each lock there is a goal of the
// thread that holds it; if that waits in a join, behind it a goal of the thread that wants the next lock.
[[nodiscard]] Problem cycle_problem(const CycleShape& cycle,
                                    const std::vector<std::vector<dpn::StackSymbol>>& places = {});

// Each cycle of the graph, from its least lock on, with all choices of who waits in joins; at most `limit`.
struct CycleShapes {
  std::vector<CycleShape> shapes;
  bool complete = true;  // false if there are more
};
[[nodiscard]] CycleShapes cycle_shapes(const std::vector<LockEdge>& graph, std::size_t limit);

// By goal of its problem, where a thread can stand that meets the goal, by itself: ascending, nowhere if the graph
// lacks an edge of the cycle.
[[nodiscard]] std::vector<std::vector<dpn::StackSymbol>> places_by_goal(const std::vector<LockEdge>& graph,
                                                                        const CycleShape& cycle);

// All cycles of any length that single threads suggest, each confirmed or refuted by a query. Reentrance is respected:
// a thread never waits for a lock that it holds.
[[nodiscard]] Deadlocks find_deadlocks(const dpn::Network& network, const DeadlockOptions& options = {});

}  // namespace lockwood::solver
