#include "base/graph/digraph.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace lockwood {

Digraph::Digraph(std::size_t vertices, std::span<const Edge> edges) : begins_(vertices + 1), targets_(edges.size()) {
  for (const Edge& edge : edges) {
    assert(edge.from < vertices && edge.to < vertices);
    ++begins_[edge.from + 1];
  }
  std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
  std::vector<std::uint64_t> next(begins_.begin(), begins_.end() - 1);
  for (const Edge& edge : edges) targets_[next[edge.from]++] = edge.to;
}

// Tarjan's algorithm with its recursion on a stack of our own, since paths are as long as the input.
Components strongly_connected_components(const Digraph& graph) {
  struct Visit {
    std::uint32_t vertex;
    std::size_t next = 0;  // successor to look at
  };
  const std::size_t size = graph.size();
  Components components{.count = 0, .of = std::vector<std::uint32_t>(size)};
  std::vector<std::uint32_t> order(size, 0);  // of the first visit, from 1; 0 if not yet
  std::vector<std::uint32_t> low(size, 0);    // the least order known to be reachable within the component
  std::vector<bool> open(size, false);        // on `component`
  std::vector<std::uint32_t> component;       // visited, component not complete
  std::vector<Visit> path;
  std::uint32_t visited = 0;

  const auto enter = [&](std::uint32_t vertex) {
    order[vertex] = low[vertex] = ++visited;
    open[vertex] = true;
    component.push_back(vertex);
    path.push_back({vertex});
  };
  const auto leave = [&](std::uint32_t vertex) {
    if (low[vertex] != order[vertex]) return;
    std::uint32_t member = vertex;
    do {
      member = component.back();
      component.pop_back();
      open[member] = false;
      components.of[member] = static_cast<std::uint32_t>(components.count);
    } while (member != vertex);
    ++components.count;
  };

  for (std::uint32_t root = 0; root < size; ++root) {
    if (order[root] != 0) continue;
    enter(root);
    while (!path.empty()) {
      const std::uint32_t vertex = path.back().vertex;
      const auto successors = graph.successors(vertex);
      if (path.back().next < successors.size()) {
        const std::uint32_t successor = successors[path.back().next++];
        if (order[successor] == 0)
          enter(successor);
        else if (open[successor])
          low[vertex] = std::min(low[vertex], order[successor]);
        continue;
      }
      path.pop_back();
      if (!path.empty()) low[path.back().vertex] = std::min(low[path.back().vertex], low[vertex]);
      leave(vertex);
    }
  }
  return components;
}

std::vector<bool> reachable_from(const Digraph& graph, std::span<const std::uint32_t> sources) {
  std::vector<bool> reachable(graph.size(), false);
  std::vector<std::uint32_t> worklist;
  const auto mark = [&](std::uint32_t vertex) {
    if (reachable[vertex]) return;
    reachable[vertex] = true;
    worklist.push_back(vertex);
  };
  for (std::uint32_t source : sources) mark(source);
  while (!worklist.empty()) {
    const std::uint32_t vertex = worklist.back();
    worklist.pop_back();
    for (std::uint32_t successor : graph.successors(vertex)) mark(successor);
  }
  return reachable;
}

}  // namespace lockwood
