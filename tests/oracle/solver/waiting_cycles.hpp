#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>

#include "dpn/model/network.hpp"
#include "solver/analyses/deadlock.hpp"

// Deadlocks through locks and joins by the definition: in every configuration, who waits for whom.
namespace lockwood::oracle {

struct WaitingCycles {
  std::set<solver::CycleShape> closing;  // each from its least lock on
  std::size_t configurations = 0;
  // Configurations with a set of threads all of whose rules wait for threads of the set, and how many of these sets
  // were watched: what is wrong if one of the threads moved later.
  std::size_t stuck = 0;
  std::size_t watched = 0;
  std::optional<std::string> moved;
};

// Of all configurations that executions come to. Nothing if there are more than that.
[[nodiscard]] std::optional<WaitingCycles> waiting_cycles(const dpn::Network& network, std::size_t max_configurations);

struct DeadlockTally {
  std::size_t models = 0;
  std::size_t cycles = 0;         // that close
  std::size_t through_joins = 0;  // of these, with a thread that waits in a join
  std::size_t of_one_lock = 0;    // of these, with one lock only
  std::size_t refuted_through_joins = 0;
  std::size_t stuck = 0;  // models that come to a set of threads which wait for each other for ever
  std::size_t too_large = 0;
};

// What is wrong with the deadlocks that the solver finds in the network, shrunk; or nothing.
[[nodiscard]] std::optional<std::string> wrong_deadlocks(const dpn::Network& network, std::uint64_t turn,
                                                         DeadlockTally& tally);

}  // namespace lockwood::oracle
