#pragma once

#include <cstdint>
#include <optional>
#include <span>
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

// A thread that can be waited for; with `all`, so can all threads that it started, at any depth.
struct Member {
  ThreadId thread;
  bool all = false;
  friend auto operator<=>(const Member&, const Member&) = default;
};

// A group of a thread and its members. It belongs to the frame that opened it, and vanishes with that frame.
struct OpenGroup {
  std::size_t frame;  // index in the stack
  Group group;
  std::vector<Member> members;
  friend auto operator<=>(const OpenGroup&, const OpenGroup&) = default;
};

// A thread: its control state, its stack (the top is the last element) and who spawned it. Ended iff the stack is
// empty.
struct Thread {
  ControlState control;
  std::vector<Frame> stack;
  // By frame. The bottom frame opens every group; those of its groups that never had a member are left out.
  std::vector<OpenGroup> groups = {};
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

// What the name of a group means to the thread: the group of the topmost frame that opens it. None if that is the
// bottom frame and the group never had a member.
[[nodiscard]] const OpenGroup* open_group(const Thread& thread, Group group);

// A thread that a join of the groups by this thread waits for: a member that has not ended, or an offspring of a member
// with `all`. The first in the order of the groups and threads.
[[nodiscard]] std::optional<ThreadId> awaited_thread(const Configuration& configuration, ThreadId thread,
                                                     std::span<const Group> groups);

// The thread that holds the lock, other than `except`.
[[nodiscard]] std::optional<ThreadId> other_holder(const Configuration& configuration, Lock lock, ThreadId except);

}  // namespace lockwood::dpn
