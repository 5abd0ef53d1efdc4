#pragma once

#include "treeauto/automaton.hpp"

namespace lockwood::treeauto {

// Whether the automaton accepts only finitely many trees. Linear time: infinitely many are accepted iff some useful
// state can be reached from itself, for then its part of a tree can be repeated.
[[nodiscard]] bool is_finite(const Automaton& automaton);

}  // namespace lockwood::treeauto
