#pragma once

#include <compare>
#include <span>
#include <vector>

#include "solver/construction/lock_graph.hpp"
#include "solver/query/tree_alphabet.hpp"

namespace lockwood::solver::reference {

// T_rh: the locks held at the cut and released later can be released [nordhoff.13.iterable, Def. 10]: the release graph
// is acyclic. It has an edge y → x if x is in use at the cut and the same thread uses y before it releases x. Requires
// well-formed cuts. As with T_ah, a subtree with a cycle gets no state. Threads may end: neither the own uses nor the
// edges of a thread depend on how it ends, and the uses of spawned threads do not count.
//
// As printed, the rules for USE that treat it as a call also hold for the non-reentrant case, which would make the
// edges optional; they are meant for the reentrant one.
struct ReleaseHistory {
  struct Value {
    bool cut;         // the own thread has its cut in the subtree
    Locks used;       // by the own thread, after the cut if there is one; forgotten if it lies before the cut
    LockGraph graph;  // the release graph
    friend auto operator<=>(const Value&, const Value&) = default;
  };
  const dpn::Network& network;

  [[nodiscard]] std::vector<Value> targets(const dpn::NodeLabel& label, std::span<const Value> children) const;
  [[nodiscard]] bool is_final(const Value&) const { return true; }
  // All conditions are such that less is better.
  [[nodiscard]] bool subsumes(const Value& a, const Value& b) const {
    return a.cut == b.cut && subset(a.used, b.used) && subset(a.graph, b.graph);
  }
};

}  // namespace lockwood::solver::reference
