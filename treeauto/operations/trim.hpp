#pragma once

#include "base/ids/id_vector.hpp"
#include "treeauto/automaton/automaton.hpp"

namespace lockwood::treeauto {

// The states that some tree reaches [comon.08.tata, Sect. 1.1]. Linear time.
[[nodiscard]] IdVector<State, bool> accessible_states(const Automaton& automaton);

// The states from which a final one can be reached by some context, that is, with accessible states beside the path.
// Linear time.
[[nodiscard]] IdVector<State, bool> coaccessible_states(const Automaton& automaton);

// The part of the automaton that lies within the states to keep, in their order and with their names.
[[nodiscard]] Automaton restricted(const Automaton& automaton, const IdVector<State, bool>& keep);

// Without the states, and the transitions through them, that no tree reaches.
[[nodiscard]] Automaton without_inaccessible(const Automaton& automaton);

// Without useless states: every state left takes part in the acceptance of some tree. The same language.
[[nodiscard]] Automaton trimmed(const Automaton& automaton);

}  // namespace lockwood::treeauto
