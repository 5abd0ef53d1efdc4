#pragma once

#include "base/process/stop.hpp"
#include "treeauto/automaton/automaton.hpp"

namespace lockwood::treeauto {

// Whether no two transitions have the same symbol and children.
[[nodiscard]] bool is_deterministic(const Automaton& automaton);

// Whether every symbol has a transition for every tuple of states, so that every tree reaches some state.
[[nodiscard]] bool is_complete(const Automaton& automaton);

// The automaton itself if it is complete. Else with one more state, a sink that is not final, the target of all
// transitions that were missing: as many as there are tuples of states. The same language, and deterministic if it
// was.
[[nodiscard]] Automaton completed(const Automaton& automaton, StopToken stop = {});

}  // namespace lockwood::treeauto
