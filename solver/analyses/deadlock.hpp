#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "base/process/stop.hpp"
#include "dpn/model/network.hpp"
#include "solver/analyses/solve.hpp"
#include "solver/locks/lock_set.hpp"

namespace lockwood::solver {

struct DeadlockOptions {
  std::size_t max_cycles = 10'000;
  // If given, a ring that closes is told of once for each combination of places at which its threads can stand; symbols
  // with the same number are one place. If there are more than `most_combinations`, each place is told of at least
  // once.
  std::function<std::size_t(dpn::StackSymbol)> place_of = {};
  std::size_t most_combinations = 256;
  SolveOptions solving;                                                     // of each question, and whether to stop
  std::function<void(std::size_t number, std::size_t total)> on_ring = {};  // before each, from 1
};

// Threads in a ring, each holding a lock that the one before wants.
struct LockRing {
  std::vector<Lock> locks;  // thread i holds locks[i] and stands before a rule that takes locks[i + 1]
  std::vector<std::vector<dpn::StackSymbol>> places = {};  // thread i stands there; anywhere if there is nothing
  Answer answer = {};                                      // whether the threads can all stand so at the same time
};

struct Deadlocks {
  std::vector<LockRing> rings;  // every ring of the lock graph, decided one by one; those that close, perhaps by place
  bool complete = true;         // false if there are more rings than looked at, or may be rings through joins
  bool joins = false;           // threads wait in joins: rings in which one does are not looked for
  std::optional<StopReason> stopped;
};

// The question whether threads can stand in that ring, there if places are given.
[[nodiscard]] Problem ring_problem(const std::vector<Lock>& ring,
                                   const std::vector<std::vector<dpn::StackSymbol>>& places = {});

// All rings of any length that single threads suggest, each confirmed or refuted by a query. Reentrance is respected: a
// thread never waits for a lock that it holds.
[[nodiscard]] Deadlocks find_deadlocks(const dpn::Network& network, const DeadlockOptions& options = {});

}  // namespace lockwood::solver
