#pragma once

#include <vector>

#include "frontend/program/ir/expression.hpp"

namespace lockwood::java {

// The first expression, in a form that also mentions the locals of the others. A model that follows values takes the
// result for something made of all of them; what is known of the first one stays known.
[[nodiscard]] program::Expression carrying(program::Expression base, const std::vector<program::Expression>& others);

}  // namespace lockwood::java
