#pragma once

#include <compare>
#include <span>
#include <vector>

#include "solver/construction/allowed_rules.hpp"

namespace lockwood::solver::reference {

// fired(E): a rule of E was used after the cut (docs/theory.md, Sect. 6). Requires well-formed cuts. What is undecided
// is treated as in T_ht (final_locks.hpp).
struct FiredAfterCut {
  struct Value {
    bool cut;        // the own thread has its cut in the subtree
    bool undecided;  // a rule of E was used where the cut is not yet known; false if `cut`
    bool fired;
    friend auto operator<=>(const Value&, const Value&) = default;
  };
  RuleSet rules;  // E

  [[nodiscard]] std::vector<Value> targets(const dpn::NodeLabel& label, std::span<const Value> children) const;
  [[nodiscard]] bool is_final(const Value& value) const { return value.fired; }
};

}  // namespace lockwood::solver::reference
