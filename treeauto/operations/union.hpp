#pragma once

#include "treeauto/automaton/automaton.hpp"

namespace lockwood::treeauto {

// Accepts what the first or the second accepts: both side by side, over the symbols of both. The states of the first
// keep their numbers, those of the second follow. States keep their names if the names of both are disjoint.
[[nodiscard]] Automaton union_of(const Automaton& first, const Automaton& second);

}  // namespace lockwood::treeauto
