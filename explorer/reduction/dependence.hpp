#pragma once

#include <array>

#include "explorer/machine/action.hpp"

namespace lockwood::explorer {

// On which actions of other threads an action depends. For an action a of thread c, D(a) are the actions of others that
// do not commute with a and that others could execute while c is before a. A table, because it is data: tests take
// rows out and see that this is noticed. All dependences are between actions on one object.
//
// Read and write: as everywhere, write against write included. Acquire: who comes first decides. Release and Wait:
// nobody else can take the monitor before, so what they enable comes after them anyway. A notification that comes
// before a wait is lost; if both threads hold the monitor, they exclude each other. Two notifications: while nobody
// comes to wait anew, the later one can go first and wake the thread that it woke, or the one that the earlier one
// woke, who is awake in the end as well. Start: a thread that was not started is joined at once, and nobody is started
// twice.
class DependenceTable {
 public:
  // The kinds that are in D of an action of this kind, on the same object.
  [[nodiscard]] constexpr KindSet operator[](ActionKind kind) const { return rows_[static_cast<std::size_t>(kind)]; }

  // Takes one entry out: for tests.
  [[nodiscard]] constexpr DependenceTable without(ActionKind kind, ActionKind other) const {
    DependenceTable table = *this;
    table.rows_[static_cast<std::size_t>(kind)].erase(other);
    return table;
  }

  [[nodiscard]] static constexpr DependenceTable complete() {
    using enum ActionKind;
    DependenceTable table;
    const KindSet unheld_notify{UnheldNotify, UnheldNotifyAll};
    table.row(Read) = {Write};
    table.row(Write) = {Read, Write};
    table.row(Acquire) = acquiring_kinds;
    table.row(Reacquire) = acquiring_kinds;
    table.row(Wait) = unheld_notify;
    table.row(UnheldWait) = notifying_kinds;
    table.row(Notify) = {UnheldWait};
    table.row(NotifyAll) = {UnheldWait};
    table.row(UnheldNotify) = waiting_kinds;
    table.row(UnheldNotifyAll) = waiting_kinds;
    table.row(Start) = {Start, Join};
    table.row(Join) = {Start};
    return table;
  }

 private:
  constexpr KindSet& row(ActionKind kind) { return rows_[static_cast<std::size_t>(kind)]; }

  std::array<KindSet, action_kinds> rows_{};
};

// Whether two actions of different threads that both could come next do not commute: D in both directions.
[[nodiscard]] constexpr bool dependent(const DependenceTable& table, const Action& a, const Action& b) {
  return a.object == b.object && (table[a.kind].contains(b.kind) || table[b.kind].contains(a.kind));
}

// The same where it matters which of two notifications wakes whom: runs are told apart by it, states are not.
[[nodiscard]] constexpr bool dependent_in_runs(const DependenceTable& table, const Action& a, const Action& b) {
  return dependent(table, a, b) ||
         (a.object == b.object && notifying_kinds.contains(a.kind) && notifying_kinds.contains(b.kind));
}

// The kinds of actions on the same object that depend in runs on an action of this kind.
[[nodiscard]] constexpr KindSet waking_kinds(const DependenceTable& table, ActionKind kind) {
  KindSet kinds = notifying_kinds.contains(kind) ? table[kind] | notifying_kinds : table[kind];
  for (std::size_t i = 0; i < action_kinds; ++i)
    if (table[static_cast<ActionKind>(i)].contains(kind)) kinds.insert(static_cast<ActionKind>(i));
  return kinds;
}

}  // namespace lockwood::explorer
