#include "frontend/java/lowering/carried_values.hpp"

#include <algorithm>

namespace lockwood::java {

program::Expression carrying(program::Expression base, const std::vector<program::Expression>& others) {
  for (const program::Expression& other : others)
    for (const program::Expression::Operation& operation : other.postfix) {
      const auto* local = std::get_if<program::Local>(&operation);
      if (local == nullptr || std::ranges::find(base.postfix, operation) != base.postfix.end()) continue;
      base = program::apply(program::Operator::Or, std::move(base),
                            program::apply(program::Operator::And, program::constant(0), program::value_of(*local)));
    }
  return base;
}

}  // namespace lockwood::java
