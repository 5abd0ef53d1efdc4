#pragma once

#include <vector>

#include "frontend/java/facts/procedure_calls.hpp"

namespace lockwood::java {

// Values that are only ever 0 or 1 and that some branch depends on: a model that tracks them knows which branch is
// taken. By procedure, of code.
struct TrackedBooleans {
  std::vector<IdVector<jvm::Register, bool>> registers;
  std::vector<std::vector<bool>> parameters;
  std::vector<bool> results;
};

[[nodiscard]] TrackedBooleans tracked_booleans(const PointsTo& flow, const ProcedureCalls& calls);

}  // namespace lockwood::java
