#pragma once

#include <optional>

#include "base/stop.hpp"
#include "treeauto/automaton.hpp"
#include "treeauto/shared_tree.hpp"

namespace lockwood::treeauto {

// A tree over the automaton's alphabet that it rejects; nothing if there is none. By antichains of sets of states
// [bouajjani.08.antichain, Sect. 4], so that not all sets are looked at.
[[nodiscard]] std::optional<SharedTree> rejected_tree(const Automaton& automaton, StopToken stop = {});

// Whether the automaton accepts every tree over its alphabet.
[[nodiscard]] bool is_universal(const Automaton& automaton, StopToken stop = {});

}  // namespace lockwood::treeauto
