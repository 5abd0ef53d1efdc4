#pragma once

#include "base/process/stop.hpp"
#include "treeauto/automaton/automaton.hpp"

namespace lockwood::treeauto {

// Accepts exactly the trees over the automaton's alphabet that it rejects. The alphabet counts with all its symbols,
// used or not. The result is trimmed, but not deterministic: a state that every tree reaches stands beside whatever
// already decides on rejection, which keeps the result small where a complete deterministic automaton would have a
// transition for every tuple of states. For the latter, see deterministic.hpp.
[[nodiscard]] Automaton complement(const Automaton& automaton, StopToken stop = {});

}  // namespace lockwood::treeauto
