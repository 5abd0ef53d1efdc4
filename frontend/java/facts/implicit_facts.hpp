#pragma once

#include <array>
#include <vector>

#include "frontend/java/facts/nullness.hpp"
#include "frontend/java/pointsto/implicit_throws.hpp"

namespace lockwood::java {

// Which exceptions of the machine are left when null values, bounds, divisors, casts and sizes are looked at.
struct ImplicitFacts {
  struct Count {
    std::size_t all = 0;       // that the instructions alone would allow, `this` counted as not null
    std::size_t excluded = 0;  // of these
  };
  std::vector<IdVector<jvm::InstructionId, ImplicitThrows>> possible;  // by procedure, of code
  std::array<Count, implicit_throw_count> counts{};                    // in code that is reported, by kind

  [[nodiscard]] Count total() const;
};

[[nodiscard]] ImplicitFacts implicit_facts(const PointsTo& flow, const ProcedureCalls& calls, const CodeShapes& shapes,
                                           const Nullness& nullness, StopToken stop = {});

}  // namespace lockwood::java
