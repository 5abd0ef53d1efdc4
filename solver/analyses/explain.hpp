#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/process/stop.hpp"
#include "dpn/model/network.hpp"
#include "solver/analyses/solve.hpp"
#include "solver/locks/lock_set.hpp"
#include "solver/locks/lock_structure.hpp"
#include "solver/query/query_problem.hpp"

namespace lockwood::solver {

// Why a problem is unreachable, the weakest reason that suffices.

// No thread ever meets this goal, even without locks and whatever else happens.
struct GoalImpossible {
  PhaseIndex phase;
  std::size_t goal;  // index in Phase::standing
};
// The goals of the phases cannot be met together, or one after the other, even without locks and whatever else happens:
// their threads are never alive together.
struct NeverTogether {};
// The goals could be met without locks, were it not for the avoided and required actions and the observers.
struct ConditionsUnmet {};
// Somebody has ended by then: even without locks, the joins see to it.
struct EndedByThen {
  // These joins alone suffice: if only they wait, the problem is unreachable without locks; if one of them does not, it
  // is reachable. Other joins may suffice as well. Ascending.
  std::vector<dpn::RuleId> joins;
};
// Locks hold the threads apart.
struct Excluded {
  // These locks alone suffice: if only they exclude, the problem is unreachable; if one of them does not, it is
  // reachable. Other locks may suffice as well.
  std::vector<Lock> locks;
  // Of these the ones that every thread meeting any goal of some phase holds, if the phase has several goals.
  std::vector<Lock> common;
  // What goes wrong, with these locks, in a smallest execution that would do if there were none: a sentence with the
  // names of the model. Empty if that execution is too large to be looked at.
  std::string example;
};
using Reason = std::variant<GoalImpossible, NeverTogether, ConditionsUnmet, EndedByThen, Excluded>;

// The reason for an unreachable verdict on the problem. Throws Interrupted if asked to stop.
[[nodiscard]] Reason explain(const dpn::Network& network, const Problem& problem, StopToken stop = {});

// Joins because of which the problem is unreachable even without locks; nothing if it is reachable without locks, or if
// it is unreachable though nobody waits in joins. Throws Interrupted if asked to stop.
[[nodiscard]] std::optional<EndedByThen> ended_by_then(const dpn::Network& network, const Problem& problem,
                                                       StopToken stop = {});

// The dual: a smallest set of locks such that the problem is reachable if they do not exclude; nothing if it is
// unreachable without any lock. Empty if the problem is reachable as it is. Throws Interrupted if asked to stop.
[[nodiscard]] std::optional<std::vector<Lock>> smallest_removal(const dpn::Network& network, const Problem& problem,
                                                                StopToken stop = {});

}  // namespace lockwood::solver
