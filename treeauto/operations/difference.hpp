#pragma once

#include "base/process/stop.hpp"
#include "treeauto/automaton/automaton.hpp"

namespace lockwood::treeauto {

// Accepts what the first accepts and the second does not, over the symbols of both. The second is determinised only as
// far as the first leads; the result is trimmed. If that takes long, both are reduced by simulations first.
[[nodiscard]] Automaton difference(const Automaton& first, const Automaton& second, StopToken stop = {});

}  // namespace lockwood::treeauto
