#include <doctest/doctest.h>

#include <vector>

#include "base/graph/digraph.hpp"
#include "base/ids/random.hpp"

using namespace lockwood;

namespace {

// Which vertices are connected by a path, the empty one included.
std::vector<std::vector<bool>> closure(std::size_t size, const std::vector<Edge>& edges) {
  std::vector<std::vector<bool>> path(size, std::vector<bool>(size, false));
  for (std::size_t v = 0; v < size; ++v) path[v][v] = true;
  for (const Edge& edge : edges) path[edge.from][edge.to] = true;
  for (std::size_t via = 0; via < size; ++via)
    for (std::size_t from = 0; from < size; ++from)
      for (std::size_t to = 0; to < size; ++to)
        if (path[from][via] && path[via][to]) path[from][to] = true;
  return path;
}

}  // namespace

TEST_CASE("components are the classes of mutual reachability, numbered against the edges") {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    CAPTURE(seed);
    Random random{seed};
    const std::size_t size = 1 + random.below(9);
    std::vector<Edge> edges(random.below(2 * size));
    for (Edge& edge : edges)
      edge = {static_cast<std::uint32_t>(random.below(size)), static_cast<std::uint32_t>(random.below(size))};
    const Digraph graph{size, edges};
    const auto path = closure(size, edges);
    const Components components = strongly_connected_components(graph);
    std::vector<bool> numbers(components.count, false);
    for (std::size_t a = 0; a < size; ++a) {
      REQUIRE(components.of[a] < components.count);
      numbers[components.of[a]] = true;
      for (std::size_t b = 0; b < size; ++b)
        CHECK((components.of[a] == components.of[b]) == (path[a][b] && path[b][a]));
      const std::vector<std::uint32_t> sources{static_cast<std::uint32_t>(a)};
      CHECK(reachable_from(graph, sources) == path[a]);
    }
    for (const Edge& edge : edges) CHECK(components.of[edge.to] <= components.of[edge.from]);
    for (bool is_used : numbers) CHECK(is_used);
  }
}

TEST_CASE("a path of a million vertices, closed or not, is no problem") {
  constexpr std::uint32_t size = 1'000'000;
  std::vector<Edge> edges;
  for (std::uint32_t v = 0; v + 1 < size; ++v) edges.push_back({v, v + 1});
  CHECK(strongly_connected_components(Digraph{size, edges}).count == size);
  edges.push_back({size - 1, 0});
  CHECK(strongly_connected_components(Digraph{size, edges}).count == 1);
}
