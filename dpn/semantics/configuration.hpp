#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "dpn/model/network.hpp"
#include "dpn/model/query.hpp"

namespace lockwood::dpn {

using ThreadId = Id<struct ThreadTag>;

// One level of a stack, with the lock that was taken when it was entered and is given back when it is left.
struct Frame {
  StackSymbol symbol;
  std::optional<Lock> lock;
  friend auto operator<=>(const Frame&, const Frame&) = default;
};

// A thread: its control state, its stack (the top is the last element) and who spawned it. Ended iff the stack is
// empty.
struct Thread {
  ControlState control;
  std::vector<Frame> stack;
  std::optional<ThreadId> parent;  // none for the main thread
  std::uint32_t ordinal = 0;       // it is the ordinal-th thread spawned by its parent, from 1
  std::uint32_t spawned = 0;       // how many it spawned itself
  [[nodiscard]] bool ended() const { return stack.empty(); }
  [[nodiscard]] Head head() const { return Head{control, stack.back().symbol}; }  // requires !ended()
  friend bool operator==(const Thread&, const Thread&) = default;
};

// The threads alive and ended, numbered in the order of their creation; 0 is the main thread.
struct Configuration {
  IdVector<ThreadId, Thread> threads;
  friend bool operator==(const Configuration&, const Configuration&) = default;
};

inline constexpr ThreadId main_thread{0};

[[nodiscard]] Configuration initial_configuration(const Network& network);

// "main", "main.1", "main.1.2": the path of spawns. The same in every interleaving of one execution.
[[nodiscard]] std::string thread_name(const Configuration& configuration, ThreadId thread);

// How often the thread has taken the lock and not given it back.
[[nodiscard]] std::size_t hold_count(const Thread& thread, Lock lock);

// The locks a thread holds, ascending.
[[nodiscard]] std::vector<Lock> held_locks(const Thread& thread);

// The thread that holds the lock, other than `except`.
[[nodiscard]] std::optional<ThreadId> other_holder(const Configuration& configuration, Lock lock, ThreadId except);

}  // namespace lockwood::dpn
