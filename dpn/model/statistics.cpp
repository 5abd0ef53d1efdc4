#include "dpn/model/statistics.hpp"

#include <algorithm>

#include "base/graph/digraph.hpp"
#include "dpn/model/control_flow.hpp"

namespace lockwood::dpn {
namespace {

std::uint32_t vertex(StackSymbol symbol) { return static_cast<std::uint32_t>(symbol.index()); }

// The rules that one run can use any number of times.
//
// A run branches at calls (callee, return point) and spawns (parent, child). A rule with a branch on a cycle of all
// flow repeats: the cycle goes through it. So does everything that hangs off a cycle by the other branch of such a
// rule: a procedure called in a loop, the rest of a recursive procedure after the recursive call, a thread spawned in a
// loop. A rule that leaves a cycle does not, unless the whole cycle hangs off another.
IdVector<RuleId, bool> repeated_rules(const Network& network, std::span<const FlowEdge> edges) {
  const Digraph flow = flow_graph(network, edges, [](const FlowEdge&) { return true; });
  const Components components = strongly_connected_components(flow);
  const std::vector<bool> reachable = reachable_from(flow, std::array{vertex(network.initial().top)});
  const auto on_cycle = [&](const FlowEdge& edge) {
    return reachable[vertex(edge.from)] && components.of[vertex(edge.from)] == components.of[vertex(edge.to)];
  };

  IdVector<RuleId, bool> repeated(network.rules().size());
  std::vector<std::uint32_t> hanging_off;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (on_cycle(edges[i])) repeated[edges[i].rule] = true;
    if (i + 1 == edges.size() || edges[i].rule != edges[i + 1].rule) continue;  // the two branches are neighbours
    if (on_cycle(edges[i])) hanging_off.push_back(vertex(edges[i + 1].to));
    if (on_cycle(edges[i + 1])) hanging_off.push_back(vertex(edges[i].to));
  }
  const std::vector<bool> repeated_symbols = reachable_from(flow, hanging_off);
  for (RuleId id : network.rules().keys())
    if (repeated_symbols[vertex(network.rule(id).from.top)]) repeated[id] = true;
  return repeated;
}

// The longest path, counted in monitors, through the flow of one thread, from any symbol that is reachable at all.
std::optional<std::size_t> monitor_nesting(const Network& network, std::span<const FlowEdge> edges) {
  const Digraph all = flow_graph(network, edges, [](const FlowEdge&) { return true; });
  const std::vector<bool> reachable = reachable_from(all, std::array{vertex(network.initial().top)});
  const auto counts = [&](const FlowEdge& edge) {
    return edge.flow == Flow::Entering && network.rule(edge.rule).kind() == RuleKind::Monitor;
  };
  const Digraph one_thread =
      flow_graph(network, edges, [](const FlowEdge& edge) { return edge.flow != Flow::Spawning; });
  const Components components = strongly_connected_components(one_thread);

  // Components are numbered against the direction of edges: what an edge leads to is final when it is looked at.
  std::vector<FlowEdge> ordered;
  for (const FlowEdge& edge : edges)
    if (edge.flow != Flow::Spawning && reachable[vertex(edge.from)]) ordered.push_back(edge);
  const auto component = [&](StackSymbol symbol) { return components.of[vertex(symbol)]; };
  std::ranges::sort(ordered, {}, [&](const FlowEdge& edge) { return component(edge.from); });
  std::vector<std::size_t> nesting(components.count, 0);
  for (const FlowEdge& edge : ordered) {
    const bool inside = component(edge.from) == component(edge.to);
    if (inside && counts(edge)) return std::nullopt;
    std::size_t& longest = nesting[component(edge.from)];
    if (!inside) longest = std::max(longest, nesting[component(edge.to)] + (counts(edge) ? 1 : 0));
  }
  return std::ranges::max(nesting);
}

void count_reachable(const Network& network, StopToken stop, Statistics& result) {
  const ReachableHeads reachable = reachable_heads(network, 100'000'000, stop);
  result.precision = reachable.precision;
  for (RuleId id : network.rules().keys()) {
    const bool is_reachable = reachable.rules[id];
    if (!is_reachable) result.unreachable_rules.push_back(id);
    if (network.rules_from(network.rule(id).from).front() != id) continue;
    ++result.heads;
    if (is_reachable) ++result.reachable_heads;
  }
}

}  // namespace

Statistics statistics(const Network& network, StopToken stop) {
  Statistics result;
  result.controls = network.control_states().size();
  result.stacks = network.stack_symbols().size();
  result.actions = network.actions().size();
  result.locks = network.locks().size();
  result.groups = network.groups().size();
  IdVector<Lock, bool> used(result.locks);
  for (const Rule& rule : network.rules()) {
    ++result.rules_by_kind[static_cast<std::size_t>(rule.kind())];
    if (const auto* monitor = std::get_if<Monitor>(&rule.effect)) used[monitor->lock] = true;
  }
  for (Lock lock : used.keys())
    if (used[lock]) result.locks_used.push_back(lock);

  stop.check();
  result.procedures = procedures(network);
  for (const Procedure& procedure : result.procedures.table)
    if (procedure.recursive) ++result.recursive_procedures;

  stop.check();
  const std::vector<FlowEdge> edges = flow_edges(network);
  const IdVector<RuleId, bool> repeated = repeated_rules(network, edges);
  for (RuleId id : network.rules().keys())
    if (network.rule(id).kind() == RuleKind::Spawn && repeated[id]) result.repeated_spawns.push_back(id);
  result.monitor_nesting = monitor_nesting(network, edges);
  count_reachable(network, stop, result);
  return result;
}

}  // namespace lockwood::dpn
