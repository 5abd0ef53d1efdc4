#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace lockwood {

// A directed graph whose edges are not stored one by one: there is a row of targets, and the successors of a vertex are
// the targets at consecutive places of the row. Nested and overlapping ranges share their places, so that the graph
// takes linear space where its edges are quadratically many.
struct RangeGraph {
  struct Range {
    std::size_t begin = 0;
    std::size_t end = 0;
  };
  std::vector<Range> successors;                      // by vertex
  std::vector<std::optional<std::uint32_t>> targets;  // none: a place that is no edge's
};

// An edge: from the vertex to the target at the place.
struct RangeEdge {
  std::uint32_t from;
  std::size_t place;
  friend bool operator==(const RangeEdge&, const RangeEdge&) = default;
};

// A cycle with as few edges as any, each leading to the vertex of the next one and the last one to that of the first;
// nothing iff there is no cycle. Whether there is one takes almost linear time; then the shortest takes as much for
// each vertex, until one of length two is found.
[[nodiscard]] std::optional<std::vector<RangeEdge>> shortest_cycle(const RangeGraph& graph);

}  // namespace lockwood
