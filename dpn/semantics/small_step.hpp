#pragma once

#include <optional>
#include <vector>

#include "dpn/model/network.hpp"
#include "dpn/semantics/configuration.hpp"

namespace lockwood::dpn {

// One thread uses one rule.
struct Move {
  ThreadId thread;
  RuleId rule;
  friend auto operator<=>(const Move&, const Move&) = default;
};

// Why a move cannot be made now.
struct Blocked {
  enum class Reason { NoSuchThread, Ended, WrongHead, LockHeld, MemberRuns };
  Reason reason;
  std::optional<ThreadId> holder;  // of the lock, or the member that has not ended, if that is the reason
  friend bool operator==(const Blocked&, const Blocked&) = default;
};

// The small-step semantics [nordhoff.13.iterable, Def. 2], with reentrant locks: a monitor rule on x is enabled for a
// thread iff no *other* thread holds x. The lock-insensitive semantics drops that condition. A join is enabled iff all
// members of its groups have ended, in both semantics (docs/theory.md, Sect. 10.1). This is the judge of all other
// code, so it is written to be obvious, not fast.
[[nodiscard]] std::optional<Blocked> blocked(const Network& network, const Configuration& configuration, Move move,
                                             Semantics semantics);

// All moves that are enabled, by thread and rule.
[[nodiscard]] std::vector<Move> enabled_moves(const Network& network, const Configuration& configuration,
                                              Semantics semantics);

// Makes the move. Requires that it is enabled. A spawned thread gets the next number.
void apply(const Network& network, Configuration& configuration, Move move);

}  // namespace lockwood::dpn
