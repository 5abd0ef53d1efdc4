#pragma once

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

// The problem that an execution answers iff the set is not empty, if the set is of the engine's shape: properties of
// trees, intersected, over a chain post*(… post*(init …) & …) in one semantics, or over no post* at all. Each post* is
// a phase. Its tree, without the cuts, is then a tree of the set.
//
// The goals of a phase are met by a thread each, but each property is met by itself: stand({a}) & stand({b}) may be the
// same thread if a and b share a symbol. So one property is asked for by goals, and the others by observers.
[[nodiscard]] std::variant<solver::Problem, NoShape> engine_shape(const SetPtr& set, StopToken stop);

}  // namespace lockwood::sets
