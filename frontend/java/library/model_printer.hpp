#pragma once

#include <string>

#include "frontend/java/library/library.hpp"

namespace lockwood::java::library {

// All models as a text that read_library reads back as the same models. Classes that are like others have the methods
// in full, and names their packages.
[[nodiscard]] std::string to_text(const Library& library);
// One class, and one entry in one line.
[[nodiscard]] std::string to_text(const Library& library, const ClassModel& model);
[[nodiscard]] std::string to_text(const Library& library, const MethodModel& method);

}  // namespace lockwood::java::library
