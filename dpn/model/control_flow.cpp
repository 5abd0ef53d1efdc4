#include "dpn/model/control_flow.hpp"

namespace lockwood::dpn {

std::vector<FlowEdge> flow_edges(const Network& network) {
  std::vector<FlowEdge> edges;
  edges.reserve(network.rules().size());
  for (RuleId id : network.rules().keys()) {
    const Rule& rule = network.rule(id);
    const auto add = [&](StackSymbol to, Flow flow) { edges.push_back({rule.from.top, to, flow, id}); };
    if (const auto to = step_of(rule)) {
      add(to->top, Flow::Within);
    } else if (const auto* spawn = std::get_if<Spawn>(&rule.effect)) {
      add(spawn->parent.top, Flow::Within);
      add(spawn->child.top, Flow::Spawning);
    } else if (const auto entry = entry_of(rule)) {
      add(entry->return_point, Flow::Within);
      add(entry->callee.top, Flow::Entering);
    }
  }
  return edges;
}

}  // namespace lockwood::dpn
