#pragma once

#include "base/process/stop.hpp"
#include "treeauto/automaton/automaton.hpp"

namespace lockwood::treeauto {

// Quotients by bisimulations [hogberg.09.backward]: states that cannot be told apart are merged, which keeps the
// language. Cheap compared with reductions by simulations, which merge more.

// The coarsest partition in which two states of a block have the same transitions to them, up to blocks of children.
// Such states accept the same trees.
[[nodiscard]] IdVector<State, std::uint32_t> backward_bisimulation(const Automaton& automaton, StopToken stop = {});

// The coarsest partition in which two states of a block are both final or both not, and wherever the one stands as a
// child the other can stand too, beside the same siblings (not only up to their blocks: then f(a, b) and f(a', b')
// would yield f(a, b')), up to the block of the target. Such states are accepted in the same contexts.
[[nodiscard]] IdVector<State, std::uint32_t> forward_bisimulation(const Automaton& automaton, StopToken stop = {});

// The automaton with the states of each block merged, with the name of the first. Blocks are numbered in the order of
// their first states.
[[nodiscard]] Automaton quotient(const Automaton& automaton, const IdVector<State, std::uint32_t>& blocks);

// Quotients by both in turn, until neither merges anything.
[[nodiscard]] Automaton bisimulation_quotient(const Automaton& automaton, StopToken stop = {});

}  // namespace lockwood::treeauto
