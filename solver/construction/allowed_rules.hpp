#pragma once

#include <compare>
#include <span>
#include <variant>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "solver/query/query_problem.hpp"

namespace lockwood::solver::reference {

using RuleSet = IdVector<dpn::RuleId, bool>;

// T_Δ': only rules of Δ' are used [nordhoff.13.iterable, Def. 5]. The paper leaves BASE out of its list.
struct AllowedRules {
  using Value = std::monostate;  // the single state •
  RuleSet allowed;               // Δ'

  [[nodiscard]] std::vector<Value> targets(const dpn::NodeLabel& label, std::span<const Value> children) const;
  [[nodiscard]] bool is_final(const Value&) const { return true; }
};

}  // namespace lockwood::solver::reference
