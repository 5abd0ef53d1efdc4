#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "base/process/stop.hpp"
#include "frontend/sets/set.hpp"
#include "solver/query/query_problem.hpp"

namespace lockwood::sets {

// Why a set is not one that the engine can be asked about.
struct NoShape {
  std::string reason;
};

// The problem that an execution answers iff the set is not empty.
struct EngineShape {
  solver::Problem problem;
  std::uint32_t phase;  // from 0: at its end, the tree of the execution, without cuts, is a tree of the set
};

// If the set is of the engine's shape: properties of trees, intersected, over a chain post*(… post*(init …) & …) in one
// semantics, or over no post* at all. Each post* is a phase. The set may be intersected with one pre*, in the same
// semantics, of properties, perhaps again with one pre*, and so on: each pre* is a further phase.
//
// The goals of a phase are met by a thread each, but each property is met by itself: stand({a}) & stand({b}) may be the
// same thread if a and b share a symbol. So one property is asked for by goals, and the others by observers.
[[nodiscard]] std::variant<EngineShape, NoShape> engine_shape(const SetPtr& set, StopToken stop);

}  // namespace lockwood::sets
