#pragma once

#include <cstdint>
#include <vector>

#include "frontend/program/ir/expression.hpp"

namespace lockwood::java {

// What a model is made for: this decides what it must know.
enum class Purpose : std::uint8_t {
  Accesses,   // races and whatever else is about accesses: one object is isolated
  Deadlocks,  // two objects are isolated, and accesses are left out
};
[[nodiscard]] constexpr std::size_t isolated_count(Purpose purpose) { return purpose == Purpose::Deadlocks ? 2 : 1; }

// Whether a reference is to one of the isolated objects.
struct IsolatedFlags {
  bool known = true;                    // no: it may be to any of them, or to none
  std::vector<program::Local> is = {};  // if known: one for each, of which at most one is true; none: to none of them

  [[nodiscard]] bool never() const { return known && is.empty(); }
  [[nodiscard]] static IsolatedFlags unknown() { return {.known = false}; }
};

}  // namespace lockwood::java
