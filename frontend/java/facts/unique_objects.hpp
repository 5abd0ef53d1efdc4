#pragma once

#include <string>

#include "frontend/java/facts/executions.hpp"

namespace lockwood::java {

// Whether an abstract object is at most one object in a run. Only these can be locks.
struct UniqueObjects {
  IdVector<ObjectId, bool> unique;
  IdVector<ObjectId, std::string> reason;  // why it is not
};

[[nodiscard]] UniqueObjects unique_objects(const PointsTo& flow, const CodeShapes& shapes,
                                           const Executions& executions);

}  // namespace lockwood::java
