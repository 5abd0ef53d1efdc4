#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/process/stop.hpp"
#include "treeauto/simulation/graph_simulation.hpp"

namespace lockwood::treeauto {

// A partition of the nodes of a graph: blocks are numbered from 0 in the order of their first nodes.
struct NodePartition {
  std::vector<std::uint32_t> block_of;  // by node
  std::size_t block_count = 0;
};

// The coarsest partition within `initial`, which gives each node some number, that is a bisimulation: nodes of a block
// have edges with the same labels to the same blocks. Time O(edges × log nodes) [paige.87.three].
[[nodiscard]] NodePartition coarsest_bisimulation(const LabelledGraph& graph, const std::vector<std::uint32_t>& initial,
                                                  StopToken stop = {});

}  // namespace lockwood::treeauto
