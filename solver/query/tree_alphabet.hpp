#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/ids/id_vector.hpp"
#include "dpn/model/network.hpp"
#include "dpn/trees/execution_tree.hpp"
#include "dpn/trees/node_label.hpp"
#include "treeauto/automaton/alphabet.hpp"
#include "treeauto/automaton/tree.hpp"

namespace lockwood::dpn {

// The ranked alphabet of the execution trees of a network, with names that a person can write and that every format for
// tree automata takes:
//
//     NIL.p.g    CUT.p.g                               a head, for every control state and stack symbol
//     RET.p.g.a  BASE.p.g.a  SPAWN.p.g.a               a rule of that kind from p g with the action a
//     JOIN.p.g.a  FORGET.p.g.a                         the same
//     NCALL.p.g.a  RCALL.p.g.a                         a call that has not returned, one that has
//     ACQ.p.g.a.x  USE.p.g.a.x  REACQ.…  REUSE.…       a monitor with the lock x; RE: reentrant
//
// The control state is left out in networks that have only one. A second rule with the same kind, head, action and lock
// has #2 at the end of its name, a third one #3: in the order of the rules. In terms such as f(1,2), parentheses are
// written as brackets and commas as semicolons: f[1;2]; white space, : . # % > [ ] ; as % and two hexadecimal digits.
class TreeAlphabet {
 public:
  // The network must outlive the alphabet.
  explicit TreeAlphabet(const Network& network);

  [[nodiscard]] const Network& network() const { return *network_; }
  [[nodiscard]] const treeauto::Alphabet& symbols() const { return symbols_; }
  [[nodiscard]] const NodeLabel& label(treeauto::Symbol symbol) const { return labels_[symbol]; }
  // Requires a label of the network: a head, or a rule of the kind.
  [[nodiscard]] treeauto::Symbol symbol(const NodeLabel& label) const;

 private:
  void add_heads(NodeKind kind);
  void add_rules();
  [[nodiscard]] std::size_t number_of(Head head) const {
    return head.control.index() * network_->stack_symbols().size() + head.top.index();
  }

  const Network* network_;
  treeauto::AlphabetBuilder builder_;
  treeauto::Alphabet symbols_;
  IdVector<treeauto::Symbol, NodeLabel> labels_;
  IdVector<RuleId, std::uint32_t> first_of_rule_;
  std::size_t first_cut_ = 0;
};

// What the symbol stands for, for people: `a thread is at g1`, `g1 -- a --> f1 [returns to g2], has returned`.
[[nodiscard]] std::string describe(const TreeAlphabet& alphabet, treeauto::Symbol symbol);

// An execution tree as a tree over the alphabet, and back. The first requires rules and heads of the network, the
// second symbols of the alphabet, with the same numbers.
[[nodiscard]] treeauto::Tree to_tree(const TreeAlphabet& alphabet, const ExecutionTree& tree);
[[nodiscard]] ExecutionTree to_execution_tree(const TreeAlphabet& alphabet, const treeauto::Tree& tree);

}  // namespace lockwood::dpn
