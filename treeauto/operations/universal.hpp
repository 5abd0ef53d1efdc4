#pragma once

#include "treeauto/automaton/automaton.hpp"

namespace lockwood::treeauto {

// Accepts every tree over the alphabet: one state, final, and a transition for each symbol.
[[nodiscard]] Automaton universal_automaton(const Alphabet& alphabet);

}  // namespace lockwood::treeauto
