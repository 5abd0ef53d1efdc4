#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "solver/construction/allowed_rules.hpp"

namespace lockwood::solver::reference {

// T^c_Δ': after the cut only rules of Δ' are used [nordhoff.13.iterable, Def. 9]. Requires well-formed cuts (T_cwf).
//
// With threads that may end: a thread without a cut shares the side of its parent's spawn. If the parent goes on to its
// own cut, the thread has ended before and may have used any rule. A main thread without a cut has ended before, so
// every state is accepting.
struct AllowedAfterCut {
  enum class Value : std::uint8_t {
    Clean,    // ⊥: no cut in the own thread; only rules of Δ' there and in threads without a cut
    Tainted,  // +: no cut in the own thread, and another rule; must not lie after the cut
    Cut,      // ⊤: the own thread's cut, and only rules of Δ' after it
  };
  RuleSet allowed;  // Δ'

  [[nodiscard]] std::vector<Value> targets(const dpn::NodeLabel& label, std::span<const Value> children) const;
  [[nodiscard]] bool is_final(const Value&) const { return true; }
};

}  // namespace lockwood::solver::reference
