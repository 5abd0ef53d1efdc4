#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "base/process/stop.hpp"
#include "dpn/model/query.hpp"
#include "frontend/findings/analyses/held_locks.hpp"
#include "frontend/program/lowering/lowering.hpp"
#include "solver/analyses/solve.hpp"

namespace lockwood::findings {

// A row of Lowered::accesses.
using AccessId = Id<struct AccessTag>;

[[nodiscard]] inline const program::Access& access(const program::Lowered& lowered, AccessId id) {
  return lowered.accesses[id.index()];
}

// Two accesses to one variable, at least one of them a write. Both may be the same: two threads can do it.
struct Conflict {
  AccessId first;
  AccessId second;  // not before the first
  friend auto operator<=>(const Conflict&, const Conflict&) = default;
};

// All conflicts between accesses that control can get to, ascending. Throws Interrupted if asked to stop: there may be
// more than fit into memory.
[[nodiscard]] std::vector<Conflict> conflicts(const program::Lowered& lowered, StopToken stop = {});

// The accesses to some variables that control can get to.
struct AccessGroup {
  std::vector<std::vector<AccessId>> by_variable;  // in the order of the variables; none is empty
  std::size_t conflicts = 0;                       // how many there are
};
// The accesses to one variable as a group.
[[nodiscard]] AccessGroup access_group(const program::Lowered& lowered, std::vector<AccessId> accesses);
// The variables in groups, in the order of the variables. A group is as large as one run that finds pairs of places
// should be: it takes the square of the number of places in memory, and the more locks matter to them, the more time.
// Only these variables, if some are given.
[[nodiscard]] std::vector<AccessGroup> access_groups(const program::Lowered& lowered,
                                                     std::span<const program::Variable> variables = {},
                                                     std::size_t max_places = 400);
// The conflicts of a group, ascending. Throws Interrupted if asked to stop.
[[nodiscard]] std::vector<Conflict> conflicts(const program::Lowered& lowered, const AccessGroup& group,
                                              StopToken stop = {});

// The conflicts, each among those of its group; groups without any are left out.
[[nodiscard]] std::vector<std::vector<Conflict>> by_group(const program::Lowered& lowered,
                                                          const std::vector<Conflict>& conflicts);

struct ConflictVerdicts {
  std::vector<Conflict> racing;     // two threads can be before them at the same time
  std::vector<Conflict> apart;      // they cannot
  std::vector<Conflict> by_text;    // of those apart, the ones that only a lock excludes which the model ignores
  std::vector<Conflict> undecided;  // only if stopped
  std::size_t unlisted = 0;         // undecided ones besides these, which there was no time to list
  std::optional<StopReason> stopped;
  solver::EngineStatistics statistics = {};
  std::optional<solver::ReductionStatistics> reduction = {};  // of the only run
};

// Decides the conflicts by one run, which finds every pair of places at which two threads can stand.
[[nodiscard]] ConflictVerdicts decide(const dpn::Network& network, const program::Lowered& lowered,
                                      const std::vector<Conflict>& conflicts, dpn::Semantics semantics,
                                      StopToken stop = {});

// The same for the program: as its model says, except that accesses which both hold a lock that the model ignores do
// not race.
[[nodiscard]] ConflictVerdicts decide(const program::Lowered& lowered, const std::vector<Conflict>& conflicts,
                                      StopToken stop = {});

// Decides all conflicts, a group at a time.
[[nodiscard]] ConflictVerdicts decide_all(const program::Lowered& lowered, StopToken stop = {});

// The locks that both accesses always hold, one of them perhaps only for reading; ascending.
[[nodiscard]] std::vector<dpn::Lock> common_locks(const program::Lowered& lowered,
                                                  const IdVector<dpn::StackSymbol, HeldLocks>& held,
                                                  const Conflict& conflict);

// The question whether two threads can be before the accesses.
[[nodiscard]] solver::Problem conflict_problem(const program::Lowered& lowered, const Conflict& conflict);

// What was found out about the model, as queries with single verdicts.
[[nodiscard]] std::vector<dpn::Query> claims(const program::Lowered& lowered, const ConflictVerdicts& verdicts);

}  // namespace lockwood::findings
