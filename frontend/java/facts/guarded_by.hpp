#pragma once

#include <map>
#include <string>

#include "frontend/java/pointsto/points_to.hpp"

namespace lockwood::java {

// What the program itself says about its fields: the text of `@GuardedBy`, of any package, by the name of the field for
// people. Only fields that the code uses. Annotations that cannot be read do not count.
[[nodiscard]] std::map<std::string, std::string> guarded_by(const PointsTo& flow);

}  // namespace lockwood::java
