#pragma once

#include "frontend/cli/input/java_input.hpp"
#include "frontend/java/lowering/java_model.hpp"
#include "frontend/java/pointsto/points_to.hpp"

namespace lockwood::frontend {

// Warns if lines cannot be trusted: classes tell none, or a source is newer than its class.
void warn_of_sources(const JavaInput& input, const java::PointsTo& flow, const java::JavaModel& model, const Run& run);

}  // namespace lockwood::frontend
