#pragma once

#include <cstdint>
#include <optional>

#include "base/ids/id_vector.hpp"
#include "base/process/stop.hpp"
#include "treeauto/automaton/automaton.hpp"
#include "treeauto/automaton/shared_tree.hpp"

namespace lockwood::treeauto {

// Whether the automaton accepts no tree. Linear time.
[[nodiscard]] bool is_empty(const Automaton& automaton);

// For each state that some tree reaches: the last transition of a smallest such tree, and that tree's number of nodes
// (saturating). Following the transitions down is always finite.
struct SmallestTrees {
  struct Entry {
    TransitionId last;
    std::uint64_t size;
  };
  IdVector<State, std::optional<Entry>> entries;
  [[nodiscard]] bool reaches(State state) const { return entries[state].has_value(); }
};
// In time n log n for an automaton of size n [knuth.77.generalization].
[[nodiscard]] SmallestTrees smallest_trees(const Automaton& automaton, StopToken stop = {});

// The smallest tree of a state. Requires that the table is the automaton's and reaches the state.
[[nodiscard]] SharedTree tree_of(const Automaton& automaton, const SmallestTrees& smallest, State state);

// A smallest tree, by number of nodes, that the automaton accepts; nothing if there is none.
[[nodiscard]] std::optional<SharedTree> smallest_tree(const Automaton& automaton, StopToken stop = {});

}  // namespace lockwood::treeauto
