#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "base/process/stop.hpp"
#include "dpn/model/network.hpp"
#include "solver/locks/lock_set.hpp"

namespace lockwood::solver {

// x → y: a thread can stand holding x before a rule that takes y, which it does not hold. Or, through joins, before a
// join of groups whose members can be before a rule that takes y, or before joins of groups whose members can, and
// so on; then x and y may be the same lock.
struct LockEdge {
  Lock holds;
  Lock wants;
  std::vector<dpn::Head> places;  // where, ascending
  bool through_joins = false;
  std::vector<dpn::StackSymbol> wanting = {};  // through joins: where members want y, ascending
};

// The edges of all threads, each on its own: what other threads do is not looked at. There may be more edges than
// executions have. Ascending by (holds, wants). Beyond so many contexts of the engine (default: `many_contexts`), what
// threads hold is found without sets of held locks (thread_locks.hpp). Throws Interrupted if asked to stop.
[[nodiscard]] std::vector<LockEdge> lock_graph(const dpn::Network& network, StopToken stop = {},
                                               std::optional<std::size_t> max_contexts = {});
// Those, and behind them those through joins.
[[nodiscard]] std::vector<LockEdge> lock_graph_with_joins(const dpn::Network& network, StopToken stop = {},
                                                          std::optional<std::size_t> max_contexts = {});

// The edge, if the graph has it.
[[nodiscard]] const LockEdge* edge_of(const std::vector<LockEdge>& graph, Lock holds, Lock wants, bool through_joins);
// Where a thread can stand that holds the first lock and wants the second, by itself: ascending, each symbol once.
[[nodiscard]] std::vector<dpn::StackSymbol> places_of(const std::vector<LockEdge>& graph, Lock holds, Lock wants);

struct LockCycles {
  std::vector<std::vector<Lock>> cycles;  // each from its smallest lock on: every lock is held where the next is wanted
  bool complete = true;                   // false if there are more than the limit
};

// The simple cycles of locks in the graph, shorter ones first, at most `limit`.
[[nodiscard]] LockCycles lock_cycles(const std::vector<LockEdge>& graph, std::size_t limit);

}  // namespace lockwood::solver
