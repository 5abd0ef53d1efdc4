#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/stop.hpp"
#include "dpn/network.hpp"
#include "solver/lock_set.hpp"
#include "solver/lock_structure.hpp"
#include "solver/problem.hpp"
#include "solver/solve.hpp"

namespace lockwood::solver {

// Why a problem is unreachable, the weakest reason that suffices.

// No thread ever meets this goal, even without locks and whatever else happens.
struct GoalImpossible {
  PhaseIndex phase;
  std::size_t goal;  // index in Phase::standing
};
// The goals of the phases cannot be met as asked even without locks: their threads are never alive together, or the
// avoided and required actions or the order of the phases do not allow it.
struct NeverTogether {};
// Locks hold the threads apart.
struct HeldApart {
  // These locks alone suffice: with only them the problem is unreachable, without any one of them it is reachable.
  std::vector<Lock> locks;
  // Of these the ones that every thread meeting any goal of some phase holds, if the phase has several goals.
  std::vector<Lock> common;
  // What goes wrong, with these locks, in a smallest execution that would do if there were none: a sentence with the
  // names of the model.
  std::string example;
};
using Reason = std::variant<GoalImpossible, NeverTogether, HeldApart>;

// The reason for an unreachable verdict on the problem. Throws Interrupted if asked to stop.
[[nodiscard]] Reason explain(const dpn::Network& network, const Problem& problem, StopToken stop = {});

// The dual: a smallest set of locks without which the problem is reachable; nothing if it is unreachable without any
// lock. Empty if the problem is reachable as it is. Throws Interrupted if asked to stop.
[[nodiscard]] std::optional<std::vector<Lock>> smallest_removal(const dpn::Network& network, const Problem& problem,
                                                                StopToken stop = {});

}  // namespace lockwood::solver
