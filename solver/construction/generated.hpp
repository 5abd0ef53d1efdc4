#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "solver/query/query_problem.hpp"

namespace lockwood::solver::reference {

// T_G: some thread stands with its top of stack in G, where a bit has just been generated [nordhoff.13.iterable,
// Example 2]; also T_P of the same example. Cuts are ignored. Says the same as Standing with one set; deterministic.
struct Generated {
  enum class Value : std::uint8_t { Absent, Present };
  IdVector<dpn::StackSymbol, bool> tops;  // G

  [[nodiscard]] std::vector<Value> targets(const dpn::NodeLabel& label, std::span<const Value> children) const;
  [[nodiscard]] bool is_final(const Value& value) const { return value == Value::Present; }
};

}  // namespace lockwood::solver::reference
