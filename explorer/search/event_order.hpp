#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "explorer/machine/action.hpp"
#include "explorer/reduction/dependence.hpp"

// Happens-before between the steps of one run.
namespace lockwood::explorer {

// How many events of each thread come before, in happens-before.
using Clock = std::vector<std::uint32_t>;

inline void join(Clock& to, const Clock& from) {
  if (to.size() < from.size()) to.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) to[i] = std::max(to[i], from[i]);
}

// Whether the event with this number among those of its thread, from 1, is in the clock.
[[nodiscard]] inline bool is_before(ThreadId thread, std::uint32_t number, const Clock& clock) {
  return thread.index() < clock.size() && number <= clock[thread.index()];
}

// Two steps of different threads, in this order, that cannot be exchanged: they depend on each other, or one makes the
// other possible. All that is done with a monitor while it is held has an order.
[[nodiscard]] constexpr bool are_ordered(const DependenceTable& table, const Action& a, const Action& b) {
  constexpr KindSet held_kinds{ActionKind::Acquire, ActionKind::Reacquire, ActionKind::Release,
                               ActionKind::Wait,    ActionKind::Notify,    ActionKind::NotifyAll};
  return dependent_in_runs(table, a, b) ||
         (a.object == b.object && held_kinds.contains(a.kind) && held_kinds.contains(b.kind));
}

}  // namespace lockwood::explorer
