#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace lockwood::java {

struct PointsToOptions {
  std::optional<std::string> main;        // pkg.Main; none: the only class with a main, or the one of the manifest
  std::size_t max_contexts = 200'000;     // copies of methods
  bool contexts = true;                   // no: each method has one copy
  std::vector<std::string> jdk_bodies;    // patterns of classes of the library whose code is analysed
  std::vector<std::string> library_code;  // patterns of classes of the program whose races are not reported
};

// `java.util.*` fits all classes of the package and below; without a star only the class itself.
[[nodiscard]] bool fits_class_pattern(const std::string& pattern, const std::string& class_name);

}  // namespace lockwood::java
