#pragma once

#include <optional>
#include <vector>

#include "base/process/stop.hpp"
#include "treeauto/automaton/automaton.hpp"
#include "treeauto/automaton/shared_tree.hpp"
#include "treeauto/automaton/tree.hpp"

namespace lockwood::treeauto {

// The tree's symbols are matched with the automaton's by name and rank; one that the automaton lacks reaches no state.

// The states that the automaton may reach at the root, sorted.
[[nodiscard]] std::vector<State> reached_states(const Automaton& automaton, const Tree& tree, StopToken stop = {});
[[nodiscard]] std::vector<State> reached_states(const Automaton& automaton, const SharedTree& tree,
                                                StopToken stop = {});

[[nodiscard]] bool accepts(const Automaton& automaton, const Tree& tree, StopToken stop = {});
[[nodiscard]] bool accepts(const Automaton& automaton, const SharedTree& tree, StopToken stop = {});

// The transitions of an accepting run, one for each node, in preorder; nothing if the tree is not accepted.
[[nodiscard]] std::optional<std::vector<TransitionId>> accepting_run(const Automaton& automaton, const Tree& tree,
                                                                     StopToken stop = {});

}  // namespace lockwood::treeauto
