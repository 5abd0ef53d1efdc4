#pragma once

#include <compare>
#include <span>
#include <vector>

#include "solver/construction/lock_graph.hpp"
#include "solver/query/tree_alphabet.hpp"

namespace lockwood::solver::reference {

// T_ht: no lock that was finally acquired before the cut is used after it [nordhoff.13.iterable, Def. 11], corrected.
//
// As printed, where the cut of the own thread lies in the right child of a returning call or use, the uses of the left
// child are forgotten. That is right for the own thread, whose uses there lie before its cut, but the printed set also
// holds the uses after *their* cut by threads that were spawned there. Here the two are kept apart. What is undecided
// is forgotten if the subtree turns out to lie before the cut: uses of the own thread, and of threads without a cut,
// which share the side of their parent's spawn (on the near side because they have ended, on the far side because they
// were spawned there). What was used after a cut is never forgotten. Requires well-formed cuts.
struct FinalLocks {
  struct Value {
    bool cut;         // the own thread has its cut in the subtree
    Locks acquired;   // A: finally acquired before the cut
    Locks undecided;  // used where the cut is not yet known; empty if `cut`
    Locks used;       // U: used after the cut
    friend auto operator<=>(const Value&, const Value&) = default;
  };
  const dpn::Network& network;

  [[nodiscard]] std::vector<Value> targets(const dpn::NodeLabel& label, std::span<const Value> children) const;
  [[nodiscard]] bool is_final(const Value&) const { return true; }
  // All conditions are such that less is better.
  [[nodiscard]] bool subsumes(const Value& a, const Value& b) const {
    return a.cut == b.cut && subset(a.acquired, b.acquired) && subset(a.undecided, b.undecided) &&
           subset(a.used, b.used);
  }
};

}  // namespace lockwood::solver::reference
