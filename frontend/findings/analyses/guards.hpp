#pragma once

#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "base/process/stop.hpp"
#include "frontend/findings/analyses/guarded_statement.hpp"
#include "frontend/findings/analyses/held_locks.hpp"
#include "frontend/findings/analyses/races.hpp"
#include "frontend/program/lowering/lowering.hpp"
#include "solver/analyses/deadlock.hpp"
#include "solver/analyses/lock_graph.hpp"

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

// A lock of the program around some statements, by which all accesses of all races on a variable hold it.
struct LockAddition {
  struct Around {
    StatementId statement;
    AccessId at;  // an access of the statement that races
  };
  dpn::Lock lock;
  std::vector<Around> around;  // in the order of accesses; none of them holds the lock always as it is
  bool adds_deadlock = false;  // would make a deadlock that was not there
};

// The races on one variable, and what would remove all of them.
struct VariableAdvice {
  program::Variable variable;
  std::vector<Conflict> races;
  std::optional<LockAddition> addition;  // none if the program has no lock
};

// Which locks could be spared, and which would help, found out by solving the program changed in this way.
class LockAdvice {
 public:
  // A verdict on which advice is founded: it is told when it is made, and the network does not outlive that.
  using Founded =
      std::function<void(const dpn::Network& network, const solver::Problem& problem, dpn::Verdict verdict)>;

  // All must outlive it. Throws Interrupted, as does everything here. Without `founded` nothing is asked that follows
  // from which locks are held.
  LockAdvice(const program::Program& program, const program::Lowered& lowered, const ConflictVerdicts& verdicts,
             StopToken stop = {}, Founded founded = {});

  // The locks without which all conflicts would have the same verdicts, and all deadlocks would be the same. Each is
  // looked at for itself: of two such locks, one may be needed once the other is gone.
  [[nodiscard]] std::vector<dpn::Lock> idle_locks(
      const std::function<void(std::size_t number, std::size_t total)>& on_lock = {});

  // The racing conflicts by variable, in the order of variables.
  [[nodiscard]] std::vector<VariableAdvice> racing_variables() const;

  // The lock that most accesses to the variable hold already, around the racing ones that do not: two accesses that
  // hold a common lock do not race. If that would add a deadlock, the next lock that would not, if there is one.
  [[nodiscard]] std::optional<LockAddition> addition(const VariableAdvice& races);

 private:
  using Cycles = std::set<solver::CycleShape>;

  void report(const dpn::Network& network, const solver::Problem& problem, dpn::Verdict verdict) const;
  [[nodiscard]] bool idle(dpn::Lock lock);
  [[nodiscard]] bool keeps_deadlocks(const dpn::Network& reduced, dpn::Lock without);
  [[nodiscard]] std::vector<dpn::Lock> by_protection(program::Variable variable) const;
  [[nodiscard]] LockAddition around_all(const VariableAdvice& races, dpn::Lock lock) const;
  void report_removed(const VariableAdvice& races, const GuardedStatements& guarded, dpn::Lock lock) const;
  [[nodiscard]] bool can_stand(const dpn::Network& network, const solver::Problem& cycle) const;
  [[nodiscard]] bool adds_deadlock(const GuardedStatements& guarded, dpn::Lock lock);
  void find_cycles();
  [[nodiscard]] const std::vector<solver::LockEdge>& graph();

  const program::Program& program_;
  const program::Lowered& lowered_;
  const ConflictVerdicts& verdicts_;
  StopToken stop_;
  Founded founded_;
  IdVector<dpn::StackSymbol, HeldLocks> held_;
  std::vector<dpn::Lock> ignored_;
  std::optional<Cycles> closing_;  // of the program as it is: cycles of locks that threads can close
  Cycles refuted_;                 // and those that they cannot
  std::optional<std::vector<solver::LockEdge>> graph_;  // likewise
};

}  // namespace lockwood::findings
