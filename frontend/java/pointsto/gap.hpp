#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace lockwood::java {

enum class GapKind : std::uint8_t {
  Reflection,    // a name that is not a constant
  MethodHandle,  // and invokedynamic with a bootstrap method that we do not know
  Native,        // a native method of the application
  Unreadable,    // code that cannot be read
  Library,       // a model says so
};

// Something that the program may do, and that the analysis does not see. "No race" is said except for these.
struct Gap {
  GapKind kind = GapKind::Reflection;
  std::string place;  // pkg.Main.run(), Main.java:12
  std::string text;
  friend auto operator<=>(const Gap&, const Gap&) = default;
};

}  // namespace lockwood::java
