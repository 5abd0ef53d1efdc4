#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "explorer/machine/machine.hpp"

// What can be wrong with a state.
namespace lockwood::explorer {

struct ThreadAt {
  ThreadId thread;
  Action action;
  friend auto operator<=>(const ThreadAt&, const ThreadAt&) = default;
};

// Two threads are before conflicting accesses of one location.
struct Race {
  ThreadAt first;  // the lesser action
  ThreadAt second;
};

// Threads that will never move again. Either they block each other in a cycle, while others may still run; or the state
// is final, and these threads have not ended. In a final state in which an assertion has failed, only cycles count:
// a thread that stopped at its assertion is no surprise to those who wait for it.
struct Deadlock {
  std::vector<ThreadAt> threads;  // ascending
  bool is_cycle = false;
};

struct ThreadFailure {
  ThreadAt thread;
  Failure failure;
};

using Observation = std::variant<Race, Deadlock, ThreadFailure>;

// What makes two observations the same for a person: the sites, not the threads.
struct ObservationKey {
  std::uint32_t property = 0;  // the alternative of Observation, then what kind of it
  std::vector<std::pair<ActionKind, Site>> sites;
  friend auto operator<=>(const ObservationKey&, const ObservationKey&) = default;
};
[[nodiscard]] ObservationKey key_of(const Observation& observation);

// Which properties are looked at.
struct Properties {
  bool races = true;
  bool deadlocks = true;
  bool failures = true;
};

// All that is wrong with the current state of the machine.
[[nodiscard]] std::vector<Observation> observations(const Machine& machine, const Properties& properties);

// Nobody can move.
[[nodiscard]] bool is_final(const Machine& machine);

}  // namespace lockwood::explorer
