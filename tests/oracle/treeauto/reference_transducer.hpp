#pragma once

#include <set>
#include <string>

#include "treeauto/automaton/automaton.hpp"
#include "treeauto/automaton/transducer.hpp"
#include "treeauto/automaton/tree.hpp"

namespace lockwood::treeauto::reference {

// Accepts this tree and no other: a state for each of its nodes.
[[nodiscard]] Automaton singleton(const Tree& tree);

// The texts of all outputs of the transducer for the tree.
[[nodiscard]] std::set<std::string> outputs(const Transducer& transducer, const Tree& tree);

}  // namespace lockwood::treeauto::reference
