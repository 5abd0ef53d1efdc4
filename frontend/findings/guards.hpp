#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "base/stop.hpp"
#include "frontend/findings/guarded_statement.hpp"
#include "frontend/findings/held_locks.hpp"
#include "frontend/findings/races.hpp"
#include "frontend/program/lowering.hpp"

namespace lockwood::findings {

struct GuardedAccess {
  AccessId access;
  HeldLocks held;
  bool racing = false;  // with some access
  bool breaks_rule = false;
};

// How a shared variable is protected.
struct VariableGuards {
  program::Variable variable;
  std::vector<GuardedAccess> accesses;  // those that control can get to, in their order
  std::vector<dpn::Lock> protecting;    // held at every access
  std::optional<dpn::Lock> rule;        // held at most accesses, at two or more of them, but not at all
};

// Accesses to each variable that is accessed at all, with the locks held. Which accesses race is taken from the
// verdicts.
[[nodiscard]] std::vector<VariableGuards> variable_guards(const program::Program& program,
                                                          const program::Lowered& lowered,
                                                          const ConflictVerdicts& verdicts, StopToken stop = {});

// The locks without which all conflicts would have the same verdicts, and all deadlocks would be the same. Each is
// looked at for itself: of two such locks, one may be needed once the other is gone. Throws Interrupted.
[[nodiscard]] std::vector<dpn::Lock> idle_locks(
    const program::Lowered& lowered, const ConflictVerdicts& verdicts,
    const std::function<void(std::size_t number, std::size_t total)>& on_lock = {}, StopToken stop = {});

// A lock around a statement that would remove a race.
struct LockAddition {
  StatementId statement;
  AccessId at;  // the access of the race that is in the statement
  dpn::Lock lock;
  bool adds_deadlock = false;  // and would make a deadlock that was not there
};

// Looks for one among the locks that the other side may hold (all locks, if both sides are one statement), each tried
// by solving the changed network; one that adds no deadlock if there is any. Throws Interrupted.
[[nodiscard]] std::optional<LockAddition> lock_addition(const program::Program& program,
                                                        const program::Lowered& lowered, const Conflict& race,
                                                        const IdVector<dpn::StackSymbol, HeldLocks>& held,
                                                        StopToken stop = {});

}  // namespace lockwood::findings
