#include "treeauto/simulation/bisimulation.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "base/ids/sequence_table.hpp"
#include "treeauto/automaton/automaton_builder.hpp"
#include "treeauto/automaton/word.hpp"
#include "treeauto/simulation/graph_bisimulation.hpp"

namespace lockwood::treeauto {
namespace {

using Blocks = IdVector<State, std::uint32_t>;

// The blocks of the first nodes of a graph, which are the states.
Blocks blocks_of_states(const Automaton& automaton, const LabelledGraph& graph,
                        const std::vector<std::uint32_t>& initial, StopToken stop) {
  const NodePartition partition = coarsest_bisimulation(graph, initial, stop);
  Blocks blocks(automaton.state_count());
  for (State state : automaton.states()) blocks[state] = partition.block_of[state.index()];
  return blocks;
}

}  // namespace

// A state has an edge to the left side of each transition to it, and a left side one to each of its children.
Blocks backward_bisimulation(const Automaton& automaton, StopToken stop) {
  LabelledGraph graph{.node_count = automaton.state_count(), .label_count = 1, .edges = {}};
  std::vector<std::uint32_t> initial(automaton.state_count(), 0);
  std::optional<TransitionId> previous;  // with the left side that is the last node
  for (TransitionId id : automaton.transitions()) {
    stop.check();
    const auto children = automaton.children(id);
    if (!previous || automaton.symbol(*previous) != automaton.symbol(id) ||
        !std::ranges::equal(automaton.children(*previous), children)) {
      for (std::size_t i = 0; i < children.size(); ++i)
        graph.edges.push_back({word(graph.node_count), word(1 + i), word(children[i].index())});
      graph.label_count = std::max(graph.label_count, 1 + children.size());
      ++graph.node_count;
      initial.push_back(word(1 + automaton.symbol(id).index()));
      previous = id;
    }
    graph.edges.push_back({word(automaton.target(id).index()), 0, word(graph.node_count - 1)});
  }
  return blocks_of_states(automaton, graph, initial, stop);
}

// A state has an edge to the target of each transition in which it stands, labelled by the place and the siblings.
Blocks forward_bisimulation(const Automaton& automaton, StopToken stop) {
  LabelledGraph graph{.node_count = automaton.state_count(), .label_count = 0, .edges = {}};
  std::vector<std::uint32_t> initial;
  for (State state : automaton.states()) initial.push_back(automaton.is_final(state) ? 1 : 0);
  SequenceTable<std::uint32_t> labels;
  std::vector<std::uint32_t> label;
  for (TransitionId id : automaton.transitions()) {
    const auto children = automaton.children(id);
    for (std::size_t place = 0; place < children.size(); ++place) {
      stop.check();
      label.assign({word(automaton.symbol(id).index()), word(place)});
      for (std::size_t i = 0; i < children.size(); ++i)
        if (i != place) label.push_back(word(children[i].index()));
      graph.edges.push_back(
          {word(children[place].index()), labels.intern(label).number, word(automaton.target(id).index())});
    }
  }
  graph.label_count = labels.size();
  return blocks_of_states(automaton, graph, initial, stop);
}

Automaton quotient(const Automaton& automaton, const Blocks& blocks) {
  AutomatonBuilder builder{automaton.alphabet()};
  builder.set_name(automaton.name());
  for (State state : automaton.states()) {
    if (blocks[state] < builder.state_count()) continue;
    static_cast<void>(automaton.has_state_names() ? builder.state(automaton.state_name(state)) : builder.add_state());
  }
  if (builder.state_count() == automaton.state_count()) return automaton;
  for (State state : automaton.final_states()) builder.set_final(State{blocks[state]});
  std::vector<State> children;
  for (TransitionId id : automaton.transitions()) {
    children.clear();
    for (State child : automaton.children(id)) children.emplace_back(blocks[child]);
    builder.add(automaton.symbol(id), children, State{blocks[automaton.target(id)]});
  }
  return std::move(builder).build();
}

Automaton bisimulation_quotient(const Automaton& automaton, StopToken stop) {
  Automaton result = automaton;
  while (true) {
    const std::size_t before = result.state_count();
    result = quotient(result, backward_bisimulation(result, stop));
    result = quotient(result, forward_bisimulation(result, stop));
    if (result.state_count() == before) return result;
  }
}

}  // namespace lockwood::treeauto
