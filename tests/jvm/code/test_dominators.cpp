#include <doctest/doctest.h>

#include <algorithm>

#include "base/ids/random.hpp"
#include "jvm/code/dominators.hpp"

using namespace lockwood::jvm;
using lockwood::Random;

namespace {

std::vector<bool> reachable(const Successors& successors, std::uint32_t without) {
  std::vector<bool> seen(successors.size());
  if (without == 0) return seen;
  std::vector<std::uint32_t> worklist{0};
  seen[0] = true;
  while (!worklist.empty()) {
    const std::uint32_t vertex = worklist.back();
    worklist.pop_back();
    for (std::uint32_t target : successors[vertex])
      if (target != without && !seen[target]) {
        seen[target] = true;
        worklist.push_back(target);
      }
  }
  return seen;
}

// A random graph whose numbers are a reverse postorder of it.
Successors random_graph(Random& random, std::size_t size) {
  Successors raw(size);
  for (std::uint32_t vertex = 0; vertex < size; ++vertex)
    for (std::size_t i = 1 + random.below(2); i > 0; --i) {
      const auto target = static_cast<std::uint32_t>(1 + random.below(size - 1));
      if (std::ranges::find(raw[vertex], target) == raw[vertex].end()) raw[vertex].push_back(target);
    }
  const auto order = reverse_postorder(raw);
  std::vector<std::uint32_t> number(size, 0xFFFFFFFF);
  for (std::uint32_t i = 0; i < order.size(); ++i) number[order[i]] = i;
  Successors graph(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i)
    for (std::uint32_t target : raw[order[i]]) graph[i].push_back(number[target]);
  return graph;
}

Successors reversed(const Successors& graph) {
  Successors result(graph.size());
  for (std::uint32_t vertex = 0; vertex < graph.size(); ++vertex)
    for (std::uint32_t target : graph[vertex]) result[target].push_back(vertex);
  return result;
}

}  // namespace

TEST_CASE("dominators and frontiers are what the definitions say") {
  Random random{1};
  for (int round = 0; round < 3000; ++round) {
    const Successors graph = random_graph(random, 2 + random.below(10));
    const auto size = static_cast<std::uint32_t>(graph.size());
    const Successors predecessors = reversed(graph);
    // a dominates b if b cannot be reached without a.
    std::vector<std::vector<bool>> dominates(size, std::vector<bool>(size));
    for (std::uint32_t a = 0; a < size; ++a) {
      const auto seen = reachable(graph, a);
      for (std::uint32_t b = 0; b < size; ++b) dominates[a][b] = !seen[b];
    }
    const auto dominators = immediate_dominators(predecessors);
    for (std::uint32_t b = 1; b < size; ++b) {
      CAPTURE(round);
      CHECK(dominators[b] != b);
      for (std::uint32_t a = 0; a < size; ++a)
        if (a != b) CHECK(dominates[a][b] == dominates[a][dominators[b]]);
    }
    const auto frontiers = dominance_frontiers(predecessors, dominators, 1000);
    for (std::uint32_t a = 0; a < size; ++a)
      for (std::uint32_t b = 0; b < size; ++b) {
        const bool strictly = dominates[a][b] && a != b;
        const bool some = std::ranges::any_of(predecessors[b], [&](std::uint32_t p) { return dominates[a][p]; });
        CHECK((std::ranges::find(frontiers[a], b) != frontiers[a].end()) == (some && !strictly));
      }
  }
}

TEST_CASE("in a reverse postorder a vertex comes before its successors, except along back edges") {
  Random random{2};
  for (int round = 0; round < 500; ++round) {
    const Successors graph = random_graph(random, 2 + random.below(30));
    const auto order = reverse_postorder(graph);
    REQUIRE(order.size() == graph.size());
    CHECK(order.front() == 0);
    // Each vertex but the first has a predecessor before it.
    std::vector<std::size_t> position(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) position[order[i]] = i;
    const Successors predecessors = reversed(graph);
    for (std::size_t i = 1; i < order.size(); ++i)
      CHECK(std::ranges::any_of(predecessors[order[i]], [&](std::uint32_t p) { return position[p] < i; }));
  }
}

TEST_CASE("frontiers stop at their limit") {
  // Loops in loops: the frontiers are quadratic.
  Successors graph(400);
  for (std::uint32_t i = 0; i + 1 < 400; ++i) graph[i].push_back(i + 1);
  for (std::uint32_t i = 200; i < 400; ++i) graph[i].push_back(400 - i);
  const auto predecessors = reversed(graph);
  const auto dominators = immediate_dominators(predecessors);
  CHECK(dominance_frontiers(predecessors, dominators, 100).empty());
  CHECK_FALSE(dominance_frontiers(predecessors, dominators, 1000000).empty());
}
