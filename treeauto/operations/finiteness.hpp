#pragma once

#include <cstdint>
#include <optional>

#include "base/process/stop.hpp"
#include "treeauto/automaton/automaton.hpp"

namespace lockwood::treeauto {

// Whether the automaton accepts only finitely many trees. Linear time: infinitely many are accepted iff some useful
// state can be reached from itself, for then its part of a tree can be repeated.
[[nodiscard]] bool is_finite(const Automaton& automaton);

// The number of nodes (saturating) of a largest tree that the automaton accepts, 0 if it accepts none; nothing if it
// accepts infinitely many. Linear time.
[[nodiscard]] std::optional<std::uint64_t> largest_tree_size(const Automaton& automaton, StopToken stop = {});

}  // namespace lockwood::treeauto
