#pragma once

#include <string>

#include "treeauto/automaton/automaton.hpp"
#include "treeauto/automaton/tree.hpp"

namespace lockwood::treeauto {

// A picture for Graphviz. States are circles, final ones double. A transition is a box with its symbol, an edge from
// each child, numbered if there are several, and an arrow to the target; with one child it is an arrow only.
[[nodiscard]] std::string to_dot(const Automaton& automaton);

[[nodiscard]] std::string to_dot(const Tree& tree);

}  // namespace lockwood::treeauto
