#pragma once

#include <span>
#include <vector>

#include "base/graph/digraph.hpp"
#include "dpn/model/network.hpp"

namespace lockwood::dpn {

// What a rule does to the places a thread can be in, control states ignored. A rule has at most two edges.
enum class Flow {
  Within,    // base step, join, continuation of a spawn, return point of a call: the same procedure goes on
  Entering,  // from a call or monitor to its callee
  Spawning,  // from a spawn to the new thread
};

struct FlowEdge {
  StackSymbol from;
  StackSymbol to;
  Flow flow;
  RuleId rule;
};

// The edges of all rules, by rule.
[[nodiscard]] std::vector<FlowEdge> flow_edges(const Network& network);

// The graph on stack symbols with those of the edges for which `wanted` holds.
template <class Wanted>
[[nodiscard]] Digraph flow_graph(const Network& network, std::span<const FlowEdge> edges, Wanted wanted) {
  std::vector<Edge> plain;
  for (const FlowEdge& edge : edges)
    if (wanted(edge))
      plain.push_back({static_cast<std::uint32_t>(edge.from.index()), static_cast<std::uint32_t>(edge.to.index())});
  return Digraph{network.stack_symbols().size(), plain};
}

}  // namespace lockwood::dpn
