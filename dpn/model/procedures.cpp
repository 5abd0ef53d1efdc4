#include "dpn/model/procedures.hpp"

#include <algorithm>

#include "dpn/model/control_flow.hpp"

namespace lockwood::dpn {
namespace {

struct EntryFlags {
  bool entry = false;
  bool called = false;
  bool spawned = false;
};

void sort_unique(std::vector<ProcedureId>& ids) {
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

// Breadth first from the entry, without the entries of other procedures and what has an owner already.
void collect(Procedures& result, ProcedureId id, const Digraph& within) {
  std::vector<StackSymbol>& symbols = result.table[id].symbols;
  for (std::size_t next = 0; next < symbols.size(); ++next)
    for (std::uint32_t successor : within.successors(symbols[next].index())) {
      const StackSymbol symbol{successor};
      if (result.owner[symbol]) continue;
      result.owner[symbol] = id;
      symbols.push_back(symbol);
    }
}

}  // namespace

Procedures procedures(const Network& network) {
  const std::vector<FlowEdge> edges = flow_edges(network);
  IdVector<StackSymbol, EntryFlags> entries(network.stack_symbols().size());
  entries[network.initial().top].entry = true;
  for (const FlowEdge& edge : edges) {
    if (edge.flow == Flow::Within) continue;
    entries[edge.to].entry = true;
    (edge.flow == Flow::Entering ? entries[edge.to].called : entries[edge.to].spawned) = true;
  }

  Procedures result{.table = {},
                    .owner = IdVector<StackSymbol, std::optional<ProcedureId>>(network.stack_symbols().size())};
  const auto add = [&](StackSymbol entry) {
    const EntryFlags& flags = entries[entry];
    result.owner[entry] =
        result.table.push_back({.entry = entry, .symbols = {entry}, .called = flags.called, .spawned = flags.spawned});
  };
  add(network.initial().top);
  for (StackSymbol symbol : network.stack_symbols().keys())
    if (entries[symbol].entry && symbol != network.initial().top) add(symbol);
  const Digraph within = flow_graph(network, edges, [](const FlowEdge& edge) { return edge.flow == Flow::Within; });
  for (ProcedureId id : result.table.keys()) collect(result, id, within);

  // Recursion: the entry lies on a cycle with a call in it.
  const Digraph one_thread =
      flow_graph(network, edges, [](const FlowEdge& edge) { return edge.flow != Flow::Spawning; });
  const Components components = strongly_connected_components(one_thread);
  const auto component = [&](StackSymbol symbol) { return components.of[symbol.index()]; };
  std::vector<bool> has_call(components.count, false);
  for (const FlowEdge& edge : edges)
    if (edge.flow == Flow::Entering && component(edge.from) == component(edge.to)) has_call[component(edge.to)] = true;
  for (Procedure& procedure : result.table) procedure.recursive = has_call[component(procedure.entry)];

  for (const FlowEdge& edge : edges) {
    const auto from = result.owner[edge.from];
    const auto to = result.owner[edge.to];
    if (!from || !to) continue;
    Procedure& procedure = result.table[*from];
    if (edge.flow == Flow::Entering) procedure.calls.push_back(*to);
    if (edge.flow == Flow::Spawning) procedure.spawns.push_back(*to);
    if (edge.flow == Flow::Within && *from != *to) procedure.continues_in.push_back(*to);
  }
  for (Procedure& procedure : result.table) {
    sort_unique(procedure.calls);
    sort_unique(procedure.spawns);
    sort_unique(procedure.continues_in);
  }
  return result;
}

}  // namespace lockwood::dpn
