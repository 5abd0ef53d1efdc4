#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/process/stop.hpp"
#include "treeauto/simulation/bit_matrix.hpp"

namespace lockwood::treeauto {

// A labelled transition system: nodes 0, …, node_count - 1 and edges with labels 0, …, label_count - 1.
struct LabelledGraph {
  struct Edge {
    std::uint32_t from;
    std::uint32_t label;
    std::uint32_t to;
    friend auto operator<=>(const Edge&, const Edge&) = default;
  };
  std::size_t node_count = 0;
  std::size_t label_count = 0;
  std::vector<Edge> edges;  // a set: no edge twice
};

// A preorder on nodes: u ≤ v if block_of[u] ≤ block_of[v].
struct BlockPreorder {
  std::vector<std::uint32_t> block_of;  // by node
  BitMatrix below;                      // below.test(b, c): b ≤ c; reflexive and transitive
};

// The greatest simulation within `initial`: u ≤ v implies that for every edge u → u' there is an edge v → v' with the
// same label and u' ≤ v'. Computed on the quotient by the coarsest bisimulation, which takes time O(edges × log
// nodes): bisimilar nodes are equivalent. With p blocks of the result, and n nodes and m edges of the quotient, the
// rest takes time O(m × p) [holik.09.optimizing; ranzato.07.efficient] and p² bits and O(p × m) counters of mostly one
// byte. The best
// known memory is O(p² log p + n log n) bits, in time O(m × p × log n) [ranzato.14.efficient].
[[nodiscard]] BlockPreorder greatest_simulation(const LabelledGraph& graph, const BlockPreorder& initial,
                                                StopToken stop = {});

}  // namespace lockwood::treeauto
