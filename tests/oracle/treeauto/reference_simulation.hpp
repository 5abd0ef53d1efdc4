#pragma once

#include <set>
#include <utility>

#include "treeauto/automaton/automaton.hpp"

namespace lockwood::treeauto::reference {

using StateRelation = std::set<std::pair<State, State>>;

// Greatest fixpoints: all pairs, from which those that break the condition are taken until none does.
[[nodiscard]] StateRelation downward_simulation(const Automaton& automaton);
[[nodiscard]] StateRelation upward_simulation(const Automaton& automaton, const StateRelation& others);
[[nodiscard]] StateRelation identity(const Automaton& automaton);

}  // namespace lockwood::treeauto::reference
