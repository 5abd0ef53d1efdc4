#pragma once

#include <compare>
#include <span>
#include <vector>

#include "solver/construction/lock_graph.hpp"
#include "solver/query/tree_alphabet.hpp"

namespace lockwood::solver::reference {

// T_ah: of the lock-insensitive execution trees, those that have a lock-sensitive schedule [nordhoff.13.iterable,
// Def. 6], cuts being ignored [ibid., Sect. 2.4]. No lock is finally acquired twice, and the acquisition graph is
// acyclic. The paper looks for cycles in the root's state only; graphs just grow on the way up, so a subtree with a
// cycle gets no state here.
struct AcquisitionHistory {
  struct Value {
    Locks acquired;   // A: finally acquired in the subtree
    Locks used;       // U: used or finally acquired there
    LockGraph graph;  // G: x → u, where u is used after x was finally acquired
    friend auto operator<=>(const Value&, const Value&) = default;
  };
  const dpn::Network& network;

  [[nodiscard]] std::vector<Value> targets(const dpn::NodeLabel& label, std::span<const Value> children) const;
  [[nodiscard]] bool is_final(const Value&) const { return true; }
  // All conditions are such that less is better.
  [[nodiscard]] bool subsumes(const Value& a, const Value& b) const {
    return subset(a.acquired, b.acquired) && subset(a.used, b.used) && subset(a.graph, b.graph);
  }
};

}  // namespace lockwood::solver::reference
