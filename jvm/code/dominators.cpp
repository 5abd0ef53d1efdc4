#include "jvm/code/dominators.hpp"

#include <algorithm>
#include <cassert>

namespace lockwood::jvm {

std::vector<std::uint32_t> reverse_postorder(const Successors& successors) {
  struct Frame {
    std::uint32_t vertex;
    std::size_t next;
  };
  std::vector<std::uint32_t> order;
  std::vector<bool> seen(successors.size());
  std::vector<Frame> stack{{0, 0}};
  seen[0] = true;
  while (!stack.empty()) {
    Frame& top = stack.back();
    const auto& targets = successors[top.vertex];
    if (top.next == targets.size()) {
      order.push_back(top.vertex);
      stack.pop_back();
      continue;
    }
    // Last successor first, so that the first one comes right after its branch.
    const std::uint32_t target = targets[targets.size() - ++top.next];
    if (seen[target]) continue;
    seen[target] = true;
    stack.push_back({target, 0});
  }
  std::ranges::reverse(order);
  return order;
}

std::vector<std::uint32_t> immediate_dominators(const Successors& predecessors) {
  const auto count = static_cast<std::uint32_t>(predecessors.size());
  const std::uint32_t unknown = count;
  std::vector<std::uint32_t> dominators(count, unknown);
  dominators[0] = 0;
  // Both fingers go up the tree, the lower one first, until they meet.
  const auto intersect = [&](std::uint32_t a, std::uint32_t b) {
    while (a != b) {
      while (a > b) a = dominators[a];
      while (b > a) b = dominators[b];
    }
    return a;
  };
  bool changed = true;
  while (changed) {
    changed = false;
    for (std::uint32_t vertex = 1; vertex < count; ++vertex) {
      std::uint32_t dominator = unknown;
      for (std::uint32_t before : predecessors[vertex]) {
        if (dominators[before] == unknown) continue;
        dominator = dominator == unknown ? before : intersect(before, dominator);
      }
      assert(dominator < vertex);  // some predecessor comes earlier in the order
      if (dominators[vertex] == dominator) continue;
      dominators[vertex] = dominator;
      changed = true;
    }
  }
  return dominators;
}

Successors dominance_frontiers(const Successors& predecessors, std::span<const std::uint32_t> dominators,
                               std::size_t limit) {
  assert(predecessors.size() == dominators.size());
  Successors frontiers(predecessors.size());
  std::size_t total = 0;
  for (std::uint32_t vertex = 0; vertex < predecessors.size(); ++vertex) {
    if (predecessors[vertex].size() < 2) continue;
    for (std::uint32_t runner : predecessors[vertex])
      for (; runner != dominators[vertex]; runner = dominators[runner]) {
        auto& frontier = frontiers[runner];
        // Vertices are visited in order, so a double can only be the last one. Whoever is above has it then, too.
        if (!frontier.empty() && frontier.back() == vertex) break;
        frontier.push_back(vertex);
        if (++total > limit) return {};
      }
  }
  return frontiers;
}

}  // namespace lockwood::jvm
