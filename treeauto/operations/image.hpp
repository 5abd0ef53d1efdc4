#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/process/stop.hpp"
#include "treeauto/automaton/automaton.hpp"
#include "treeauto/automaton/shared_tree.hpp"
#include "treeauto/automaton/transducer.hpp"
#include "treeauto/automaton/tree.hpp"

namespace lockwood::treeauto {

// All outputs of the transducer for one tree, without repetition, in the order of their symbols in preorder. Takes
// time and room for the outputs of every subtree, equal ones stored once. Requires that the transducer's input
// alphabet has the tree's symbols. Throws TreeTooLarge for an output with more than `limit` nodes.
[[nodiscard]] std::vector<Tree> images(const Transducer& transducer, const Tree& tree,
                                       std::uint64_t limit = unfolding_limit, StopToken stop = {});

// The automaton of all outputs for the trees of a language; symbols are matched by name and rank. Linear in the number
// of fitting pairs of a rule and a transition over accessible states, apart from the removal of epsilon transitions
// that rules with a lone variable as output cause. Requires is_linear(transducer): images under others need not be
// regular.
[[nodiscard]] Automaton image(const Transducer& transducer, const Automaton& automaton, StopToken stop = {});

}  // namespace lockwood::treeauto
