#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "treeauto/automaton/automaton.hpp"
#include "treeauto/automaton/tree.hpp"

// The textbook definitions, slow and obvious. What the library computes fast is compared with these.
namespace lockwood::treeauto::reference {

using StateSet = std::set<State>;

// All trees over the alphabet with at most that many nodes, the smaller first.
[[nodiscard]] std::vector<Tree> all_trees(const Alphabet& alphabet, std::size_t max_nodes);

// Tries every transition at every node.
[[nodiscard]] StateSet reached_states(const Automaton& automaton, const Tree& tree);
[[nodiscard]] bool accepts(const Automaton& automaton, const Tree& tree);

// Least fixpoints, by going round until nothing changes.
[[nodiscard]] IdVector<State, bool> accessible_states(const Automaton& automaton);
[[nodiscard]] IdVector<State, bool> coaccessible_states(const Automaton& automaton);
[[nodiscard]] IdVector<State, std::optional<std::uint64_t>> smallest_sizes(const Automaton& automaton);

// All pairs of states, reachable or not; over the symbols of both.
[[nodiscard]] Automaton intersection(const Automaton& first, const Automaton& second);

// For every tree over the symbols of both automata, what it reaches in each.
[[nodiscard]] std::set<std::pair<StateSet, StateSet>> reached_pairs(const Automaton& first, const Automaton& second);
[[nodiscard]] bool has_final(const Automaton& automaton, const StateSet& states);
// The same trees over the symbols of both.
[[nodiscard]] bool equivalent(const Automaton& first, const Automaton& second);
[[nodiscard]] bool included(const Automaton& first, const Automaton& second);

// The subset construction: complete, every reachable set a state, also the empty one if it is reachable.
[[nodiscard]] Automaton determinised(const Automaton& automaton);
// The number of classes of states that no context tells apart [comon.08.tata, Sect. 1.5]. Requires a complete
// deterministic automaton whose states are all accessible.
[[nodiscard]] std::size_t distinguishable_states(const Automaton& automaton);

// Whether no tree is accepted that is higher than there are states.
[[nodiscard]] bool is_finite(const Automaton& automaton);

}  // namespace lockwood::treeauto::reference
