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

// A lock around a statement that would remove a race.
struct LockAddition {
  StatementId statement;
  AccessId at;  // the access of the race that is in the statement
  dpn::Lock lock;
  bool adds_deadlock = false;  // and would make a deadlock that was not there
};

// Which locks could be spared, and which would help, found out by solving the program changed in this way.
class LockAdvice {
 public:
  // A verdict on which advice is founded: it is told when it is made, and the network does not outlive that.
  using Founded =
      std::function<void(const dpn::Network& network, const solver::Problem& problem, dpn::Verdict verdict)>;

  // All must outlive it. Throws Interrupted, as does everything here.
  LockAdvice(const program::Program& program, const program::Lowered& lowered, const ConflictVerdicts& verdicts,
             StopToken stop = {}, Founded founded = {});

  // The locks without which all conflicts would have the same verdicts, and all deadlocks would be the same. Each is
  // looked at for itself: of two such locks, one may be needed once the other is gone.
  [[nodiscard]] std::vector<dpn::Lock> idle_locks(
      const std::function<void(std::size_t number, std::size_t total)>& on_lock = {});

  // Looks for one among the locks that the other side may hold (all locks, if both sides are one statement), each tried
  // by solving the changed network, unless the model ignores the lock and the text shows that both sides would hold it;
  // one that adds no deadlock if there is any.
  [[nodiscard]] std::optional<LockAddition> addition(const Conflict& race);

 private:
  using Rings = std::set<std::vector<dpn::Lock>>;

  void tell(const dpn::Network& network, const solver::Problem& problem, dpn::Verdict verdict) const;
  [[nodiscard]] bool idle(dpn::Lock lock);
  [[nodiscard]] std::vector<LockAddition> candidates(const Conflict& race) const;
  [[nodiscard]] bool excluded_by_text(const Conflict& race, const LockAddition& addition) const;
  [[nodiscard]] Rings closing_rings(const dpn::Network& network) const;
  [[nodiscard]] const Rings& rings();
  [[nodiscard]] bool can_stand(const dpn::Network& network, const solver::Problem& ring) const;
  [[nodiscard]] bool adds_deadlock(const dpn::Network& guarded);

  const program::Program& program_;
  const program::Lowered& lowered_;
  const ConflictVerdicts& verdicts_;
  StopToken stop_;
  Founded founded_;
  IdVector<dpn::StackSymbol, HeldLocks> held_;
  std::optional<Rings> rings_;                          // of the program as it is
  std::optional<std::vector<solver::LockEdge>> graph_;  // likewise
};

}  // namespace lockwood::findings
