#pragma once

#include "frontend/program/lowering/lowering.hpp"

namespace lockwood::findings {

// Whether the models have the same races and deadlocks, conflict by conflict, cycle by cycle and step by step: all that
// they are decided by is the same. Places in the text may differ, names, and values that the model does not know.
[[nodiscard]] bool same_model(const program::Lowered& a, const program::Lowered& b);

}  // namespace lockwood::findings
