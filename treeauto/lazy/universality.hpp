#pragma once

#include <optional>

#include "base/process/stop.hpp"
#include "treeauto/automaton/automaton.hpp"
#include "treeauto/automaton/shared_tree.hpp"
#include "treeauto/lazy/inclusion.hpp"

namespace lockwood::treeauto {

// A tree over the automaton's alphabet that it rejects; nothing if there is none. Universality is the inclusion of all
// trees [bouajjani.08.antichain, Sect. 4], and decided as such.
[[nodiscard]] std::optional<SharedTree> rejected_tree(const Automaton& automaton, InclusionOptions options = {},
                                                      StopToken stop = {});

// Whether the automaton accepts every tree over its alphabet.
[[nodiscard]] bool is_universal(const Automaton& automaton, StopToken stop = {});

}  // namespace lockwood::treeauto
