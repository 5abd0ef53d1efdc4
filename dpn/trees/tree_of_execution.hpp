#pragma once

#include <cstddef>
#include <span>

#include "dpn/semantics/configuration.hpp"
#include "dpn/semantics/small_step.hpp"
#include "dpn/trees/execution_tree.hpp"

namespace lockwood::dpn {

// The execution tree of an execution from the initial configuration [nordhoff.13.iterable, Sect. 2.1]. Every thread
// that is there and has not ended after the first `cuts[k]` moves gets a cut node there: its step from phase k to k
// + 1. Requires that each move is enabled after those before it, lock-insensitively, and that the cuts ascend (two may
// be equal: an empty phase) up to the number of moves.
[[nodiscard]] ExecutionTree tree_of_execution(const Network& network, std::span<const Move> moves,
                                              std::span<const std::size_t> cuts = {});

// The configuration that every schedule of the tree reaches: conf(tree) of the paper. Its threads are numbered by their
// paths of spawns as in TreeThreads, since the tree does not fix the order of creation. Requires a valid tree.
[[nodiscard]] Configuration reached_configuration(const Network& network, const ExecutionTree& tree);

// The same configuration with its threads renumbered by their paths of spawns, to be compared with the above.
[[nodiscard]] Configuration by_spawn_path(const Configuration& configuration);

}  // namespace lockwood::dpn
