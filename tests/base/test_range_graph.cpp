#include <doctest/doctest.h>

#include <algorithm>

#include "base/graph/range_graph.hpp"
#include "base/ids/random.hpp"

using namespace lockwood;

namespace {

// The length of a shortest cycle, from the lengths of shortest paths between all vertices; 0 if there is none.
std::size_t girth(const RangeGraph& graph) {
  const std::size_t size = graph.successors.size();
  const std::size_t infinite = size + 1;
  std::vector<std::vector<std::size_t>> distance(size, std::vector<std::size_t>(size, infinite));
  for (std::size_t vertex = 0; vertex < size; ++vertex)
    for (std::size_t place = graph.successors[vertex].begin; place < graph.successors[vertex].end; ++place)
      if (graph.targets[place]) distance[vertex][*graph.targets[place]] = 1;
  for (std::size_t via = 0; via < size; ++via)
    for (std::size_t from = 0; from < size; ++from)
      for (std::size_t to = 0; to < size; ++to)
        distance[from][to] = std::min(distance[from][to], distance[from][via] + distance[via][to]);
  std::size_t shortest = infinite;
  for (std::size_t vertex = 0; vertex < size; ++vertex) shortest = std::min(shortest, distance[vertex][vertex]);
  return shortest == infinite ? 0 : shortest;
}

RangeGraph random_graph(std::uint64_t seed) {
  Random random{seed};
  RangeGraph graph;
  graph.successors.resize(1 + random.below(9));
  graph.targets.resize(random.below(16));
  for (auto& target : graph.targets)
    if (random.percent(70)) target = static_cast<std::uint32_t>(random.below(graph.successors.size()));
  for (auto& [begin, end] : graph.successors) {
    begin = random.below(graph.targets.size() + 1);
    end = std::min(graph.targets.size(), begin + random.below(4));
  }
  return graph;
}

}  // namespace

TEST_CASE("a shortest cycle is one, and is as long as distances say") {
  std::vector<std::size_t> lengths(10, 0);
  for (std::uint64_t seed = 0; seed < 10000; ++seed) {
    CAPTURE(seed);
    const RangeGraph graph = random_graph(seed);
    const auto cycle = shortest_cycle(graph);
    REQUIRE((cycle ? cycle->size() : 0) == girth(graph));
    if (!cycle) continue;
    ++lengths[cycle->size()];
    for (std::size_t i = 0; i < cycle->size(); ++i) {
      const auto [from, place] = (*cycle)[i];
      CHECK(graph.successors[from].begin <= place);
      CHECK(place < graph.successors[from].end);
      CHECK(graph.targets[place] == (*cycle)[(i + 1) % cycle->size()].from);
    }
  }
  for (std::size_t length = 1; length <= 3; ++length) CHECK(lengths[length] > 20);
}

TEST_CASE("a million nested ranges are searched in a moment") {
  const std::uint32_t size = 1'000'000;
  RangeGraph graph;
  for (std::uint32_t vertex = 0; vertex < size; ++vertex) {
    graph.successors.push_back({vertex, size - 1});
    if (vertex > 0) graph.targets.emplace_back(vertex);
  }
  CHECK_FALSE(shortest_cycle(graph).has_value());
  graph.successors.back().end = size;
  graph.targets.emplace_back(0);
  const auto cycle = shortest_cycle(graph);
  REQUIRE(cycle.has_value());
  CHECK(*cycle == std::vector<RangeEdge>{{0, size - 2}, {size - 1, size - 1}});
}
