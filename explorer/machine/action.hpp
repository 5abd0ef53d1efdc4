#pragma once

#include <cassert>
#include <compare>
#include <cstdint>
#include <initializer_list>

#include "base/ids/id.hpp"

// What threads do that other threads can notice.
namespace lockwood::explorer {

using ThreadId = Id<struct ExploredThreadTag>;  // a name: the same thread has the same id on every run
using Location = Id<struct LocationTag>;        // a memory cell
using Monitor = Id<struct MonitorTag>;
using Site = Id<struct SiteTag>;  // where in the program: only the machine knows more

// The visible actions. "Unheld" are the actions on a monitor that the thread does not hold: some languages allow them.
// The rows for tryLock, interrupts, time-outs and class initialisation come with the machine that has them.
enum class ActionKind : std::uint8_t {
  Read,
  Write,
  Acquire,    // for the first time; re-entering is invisible
  Reacquire,  // after a wait
  Release,    // for the last time
  Wait,       // releases the monitor and joins its wait set
  UnheldWait,
  Notify,
  NotifyAll,
  UnheldNotify,
  UnheldNotifyAll,
  Start,   // of a new thread
  Join,    // until a thread has ended; a thread that was not started is not waited for
  Choice,  // of data: visible to nobody, but it branches
  Pause    // a long run without a visible action stops here, so that others have their turn
};
inline constexpr std::size_t action_kinds = 15;

// A set of kinds, in one word.
class KindSet {
 public:
  constexpr KindSet() = default;
  constexpr KindSet(std::initializer_list<ActionKind> kinds) {
    for (ActionKind kind : kinds) bits_ |= bit(kind);
  }
  [[nodiscard]] constexpr bool contains(ActionKind kind) const { return (bits_ & bit(kind)) != 0; }
  [[nodiscard]] constexpr bool empty() const { return bits_ == 0; }
  [[nodiscard]] constexpr bool intersects(KindSet other) const { return (bits_ & other.bits_) != 0; }
  constexpr void insert(ActionKind kind) { bits_ |= bit(kind); }
  constexpr void erase(ActionKind kind) { bits_ &= ~bit(kind); }
  friend constexpr KindSet operator|(KindSet a, KindSet b) {
    a.bits_ |= b.bits_;
    return a;
  }
  friend constexpr bool operator==(KindSet, KindSet) = default;

 private:
  static constexpr std::uint32_t bit(ActionKind kind) { return std::uint32_t{1} << static_cast<unsigned>(kind); }
  std::uint32_t bits_ = 0;
};

inline constexpr KindSet access_kinds{ActionKind::Read, ActionKind::Write};
inline constexpr KindSet acquiring_kinds{ActionKind::Acquire, ActionKind::Reacquire};
inline constexpr KindSet notifying_kinds{ActionKind::Notify, ActionKind::NotifyAll, ActionKind::UnheldNotify,
                                         ActionKind::UnheldNotifyAll};
inline constexpr KindSet waiting_kinds{ActionKind::Wait, ActionKind::UnheldWait};
inline constexpr KindSet thread_kinds{ActionKind::Start, ActionKind::Join};
inline constexpr KindSet monitor_kinds =
    acquiring_kinds | notifying_kinds | waiting_kinds | KindSet{ActionKind::Release};

// An action on an object: a location, a monitor or a thread, as the kind says. Choice and Pause have no object.
struct Action {
  ActionKind kind = ActionKind::Pause;
  std::uint32_t object = 0;
  Site site{0};
  friend auto operator<=>(const Action&, const Action&) = default;
};

[[nodiscard]] constexpr Location location_of(const Action& action) {
  assert(access_kinds.contains(action.kind));
  return Location{action.object};
}
[[nodiscard]] constexpr Monitor monitor_of(const Action& action) {
  assert(monitor_kinds.contains(action.kind));
  return Monitor{action.object};
}
[[nodiscard]] constexpr ThreadId thread_of(const Action& action) {
  assert(thread_kinds.contains(action.kind));
  return ThreadId{action.object};
}

// Two accesses of one location, at least one of them a write.
[[nodiscard]] constexpr bool is_conflict(const Action& a, const Action& b) {
  return access_kinds.contains(a.kind) && access_kinds.contains(b.kind) && a.object == b.object &&
         (a.kind == ActionKind::Write || b.kind == ActionKind::Write);
}

[[nodiscard]] const char* to_string(ActionKind kind);

}  // namespace lockwood::explorer
