#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lockwood {

struct Edge {
  std::uint32_t from;
  std::uint32_t to;
};

// A directed graph on the vertices 0, …, n - 1, immutable. Successors keep the order in which the edges were given.
class Digraph {
 public:
  // Requires that both ends of each edge are below `vertices`.
  Digraph(std::size_t vertices, std::span<const Edge> edges);

  [[nodiscard]] std::size_t size() const { return begins_.size() - 1; }
  [[nodiscard]] std::span<const std::uint32_t> successors(std::size_t vertex) const {
    return std::span{targets_}.subspan(begins_[vertex], begins_[vertex + 1] - begins_[vertex]);
  }

 private:
  std::vector<std::uint64_t> begins_;
  std::vector<std::uint32_t> targets_;
};

// Strongly connected components in linear time [tarjan.72.depth], numbered such that an edge leads to the same
// component or to one with a smaller number.
struct Components {
  std::size_t count = 0;
  std::vector<std::uint32_t> of;  // by vertex
};
[[nodiscard]] Components strongly_connected_components(const Digraph& graph);

// By vertex: whether a path leads to it from one of the sources, which are reachable themselves.
[[nodiscard]] std::vector<bool> reachable_from(const Digraph& graph, std::span<const std::uint32_t> sources);

}  // namespace lockwood
