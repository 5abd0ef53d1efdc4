#pragma once

#include <string>
#include <vector>

#include "frontend/java/facts/code_shape.hpp"
#include "frontend/java/pointsto/points_to.hpp"

namespace lockwood::java {

// Which copies are executed at most once in a run, all threads together. For a copy: the largest number of its
// executions on a way through each caller, calls included, added along ways; of branches the larger one counts; a loop
// or a recursion around it makes it many; a start of a thread adds like a call. main and initialisers run once.
struct Executions {
  IdVector<CopyId, bool> once;
  // Why it may be executed again; empty if it is not.
  IdVector<CopyId, std::string> reason;
};

[[nodiscard]] Executions executions(const PointsTo& flow, const CodeShapes& shapes, StopToken stop = {});

// The call is in a loop of its method or model.
[[nodiscard]] bool in_loop(const PointsTo& flow, const CodeShapes& shapes, const CallEdge& edge);

}  // namespace lockwood::java
