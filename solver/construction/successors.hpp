#pragma once

#include <optional>
#include <vector>

#include "base/process/stop.hpp"
#include "dpn/model/query.hpp"
#include "solver/construction/allowed_rules.hpp"
#include "solver/query/tree_alphabet.hpp"
#include "treeauto/automaton/automaton.hpp"
#include "treeauto/automaton/shared_tree.hpp"

// Sets of reachable execution trees as explicit automata over the alphabet of the network's execution trees, without
// CUT. For small models: nothing is abstracted and nothing is left out. Throw Interrupted if a stop is requested.
namespace lockwood::solver::reference {

// How to go on from a set of trees.
struct Step {
  dpn::Semantics semantics = dpn::Semantics::LockSensitive;
  std::optional<RuleSet> allowed;  // Δ': the rules that may be used; all if not given
  std::vector<RuleSet> fired;      // of each of these sets a rule is used
  // In the end a thread of its own stands with its top of stack in each of these sets (standing.hpp).
  std::vector<std::vector<dpn::StackSymbol>> standing;
};

// The tree of the empty execution alone: NIL(p₀, γ₀).
[[nodiscard]] treeauto::Automaton initial_tree(const dpn::TreeAlphabet& alphabet);

// lspost*_Δ' of the initial tree, or post*_Δ' if lock-insensitive [nordhoff.13.iterable, Prop. 2–5], where threads
// stand as the step says. The same as the successors of the initial tree, without the detour by cuts. Requires that the
// step has no `fired`.
[[nodiscard]] treeauto::Automaton reachable_trees(const dpn::TreeAlphabet& alphabet, const Step& step = {},
                                                  StopToken stop = {});

// lspost*_Δ'(from), or post*_Δ'(from) [ibid., Prop. 6–8], as the step says: the trees that executions whose trees are
// in `from` have after going on. Requires that all trees of `from` are reachable from the initial one, in the same
// semantics; can be iterated. In Prop. 8 the paper writes T_Δ', but T^c_Δ' is meant, as in Prop. 7.
[[nodiscard]] treeauto::Automaton successors(const dpn::TreeAlphabet& alphabet, const treeauto::Automaton& from,
                                             const Step& step = {}, StopToken stop = {});

// The way back: the trees that executions have which can go on, as the step says, so that their tree is in `to`. The
// part before the cut of the same trees with cuts (docs/theory.md, Sect. 3.7). Lock-sensitive, the executions respect
// the locks from their beginning: trees of `to` that are not reachable have no predecessors, and none is given that is
// not reachable itself. Requires that all trees of `to` are lock-insensitively reachable; can be iterated.
[[nodiscard]] treeauto::Automaton predecessors(const dpn::TreeAlphabet& alphabet, const treeauto::Automaton& to,
                                               const Step& step = {}, StopToken stop = {});

// Some tree of successors(alphabet, from, step), with its cuts; nothing if there is none. Does not compute the set.
[[nodiscard]] std::optional<treeauto::SharedTree> some_successor(const dpn::TreeAlphabet& alphabet,
                                                                 const treeauto::Automaton& from, const Step& step = {},
                                                                 StopToken stop = {});

}  // namespace lockwood::solver::reference
