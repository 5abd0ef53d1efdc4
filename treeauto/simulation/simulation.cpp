#include "treeauto/simulation/simulation.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "base/ids/sequence_table.hpp"
#include "treeauto/automaton/word.hpp"
#include "treeauto/simulation/graph_simulation.hpp"

namespace lockwood::treeauto {
namespace {

// Labels (f, i), one for each place of each symbol.
class PlaceLabels {
 public:
  explicit PlaceLabels(const Alphabet& alphabet) : first_(alphabet.size()) {
    for (Symbol symbol : alphabet.symbols()) {
      first_[symbol] = count_;
      count_ += alphabet.rank(symbol);
    }
  }
  [[nodiscard]] std::uint32_t of(Symbol symbol, std::size_t place) const {
    assert(first_[symbol] + place < count_);
    return word(first_[symbol] + place);
  }
  [[nodiscard]] std::size_t count() const { return count_; }

 private:
  IdVector<Symbol, std::size_t> first_;
  std::size_t count_ = 0;
};

// What a preorder on the nodes of a graph says about the states, which are its first nodes.
StatePreorder restricted(const BlockPreorder& preorder, std::size_t states) {
  assert(states <= preorder.block_of.size());
  constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> number(preorder.below.size(), none);
  std::vector<std::uint32_t> block_of_class;
  IdVector<State, std::uint32_t> class_of(states);
  for (State state : class_of.keys()) {
    const std::uint32_t block = preorder.block_of[state.index()];
    if (number[block] == none) {
      number[block] = word(block_of_class.size());
      block_of_class.push_back(block);
    }
    class_of[state] = number[block];
  }
  BitMatrix below{block_of_class.size()};
  for (std::uint32_t a = 0; a < block_of_class.size(); ++a)
    for (std::uint32_t b = 0; b < block_of_class.size(); ++b)
      if (preorder.below.test(block_of_class[a], block_of_class[b])) below.set(a, b);
  return {std::move(class_of), std::move(below)};
}

}  // namespace

StatePreorder StatePreorder::identity(std::size_t states) {
  IdVector<State, std::uint32_t> class_of(states);
  BitMatrix below{states};
  for (State state : class_of.keys()) {
    class_of[state] = word(state.index());
    below.set(state.index(), state.index());
  }
  return {std::move(class_of), std::move(below)};
}

// As a simulation on a graph: a node for each state and each left side f(q₁, …, qₙ), an edge labelled f from a state to
// each left side that leads to it, and edges labelled (f, i) from a left side to its children. Left sides of different
// symbols are never related. For f of rank 1 the node between would tell nothing: there the edge goes to the child.
StatePreorder downward_simulation(const Automaton& automaton, StopToken stop) {
  const Alphabet& alphabet = automaton.alphabet();
  const PlaceLabels places{alphabet};
  LabelledGraph graph;
  graph.node_count = automaton.state_count();
  graph.label_count = places.count() + alphabet.size();
  BlockPreorder initial{std::vector<std::uint32_t>(automaton.state_count(), 0), BitMatrix{1 + alphabet.size()}};
  for (std::size_t block = 0; block < initial.below.size(); ++block) initial.below.set(block, block);

  std::span<const State> last;
  std::optional<Symbol> last_symbol;
  for (TransitionId id : automaton.transitions()) {
    const Symbol symbol = automaton.symbol(id);
    const auto children = automaton.children(id);
    const std::uint32_t target = word(automaton.target(id).index());
    const std::uint32_t label = word(places.count() + symbol.index());
    if (children.size() == 1) {
      graph.edges.push_back({target, label, word(children[0].index())});
      continue;
    }
    if (last_symbol != symbol || !std::ranges::equal(last, children)) {
      last_symbol = symbol;
      last = children;
      for (std::size_t place = 0; place < children.size(); ++place)
        graph.edges.push_back({word(graph.node_count), places.of(symbol, place), word(children[place].index())});
      ++graph.node_count;
      initial.block_of.push_back(word(1 + symbol.index()));
    }
    graph.edges.push_back({target, label, word(graph.node_count - 1)});
  }
  return restricted(greatest_simulation(graph, initial, stop), automaton.state_count());
}

namespace {

// (f, i, classes of the other children): where a child may stand.
void write_environment(const Automaton& automaton, TransitionId id, std::size_t place, std::uint32_t label,
                       const StatePreorder* others, std::vector<std::uint32_t>& key) {
  key.assign(1, label);
  const auto children = automaton.children(id);
  for (std::size_t other = 0; other < children.size(); ++other)
    if (other != place)
      key.push_back(others == nullptr ? word(children[other].index()) : others->class_of(children[other]));
}

BlockPreorder final_states_above(const Automaton& automaton) {
  BlockPreorder initial{std::vector<std::uint32_t>(automaton.state_count(), 0), BitMatrix{2}};
  for (State state : automaton.final_states()) initial.block_of[state.index()] = 1;
  initial.below.set(0, 0);
  initial.below.set(0, 1);
  initial.below.set(1, 1);
  return initial;
}

}  // namespace

// As a simulation on the graph of states with an edge q → q' for every transition f(…, q, …) → q'. All but q and q'
// must be the same on both sides, so it is the label.
StatePreorder upward_simulation(const Automaton& automaton, StopToken stop) {
  const PlaceLabels places{automaton.alphabet()};
  SequenceTable<> environments;
  LabelledGraph graph;
  graph.node_count = automaton.state_count();
  std::vector<std::uint32_t> key;
  for (TransitionId id : automaton.transitions()) {
    const auto children = automaton.children(id);
    for (std::size_t place = 0; place < children.size(); ++place) {
      write_environment(automaton, id, place, places.of(automaton.symbol(id), place), nullptr, key);
      graph.edges.push_back(
          {word(children[place].index()), environments.intern(key).number, word(automaton.target(id).index())});
    }
  }
  graph.label_count = environments.size();
  return restricted(greatest_simulation(graph, final_states_above(automaton), stop), automaton.state_count());
}

// Here the other children need not be the same, so they become nodes: q → (f, i, others, q') → q', where the middle
// nodes are related from the start as their others are.
StatePreorder upward_simulation(const Automaton& automaton, const StatePreorder& others, StopToken stop) {
  const PlaceLabels places{automaton.alphabet()};
  LabelledGraph graph;
  graph.node_count = automaton.state_count();
  graph.label_count = places.count() + 1;
  BlockPreorder initial = final_states_above(automaton);
  constexpr std::uint32_t state_blocks = 2;
  SequenceTable<> environments;
  SequenceTable<> middles;  // (environment, target)
  SequenceTable<> edges;    // (child, label, middle): two transitions may differ only within a class
  std::vector<std::uint32_t> key;
  for (TransitionId id : automaton.transitions()) {
    const auto children = automaton.children(id);
    for (std::size_t place = 0; place < children.size(); ++place) {
      const std::uint32_t label = places.of(automaton.symbol(id), place);
      write_environment(automaton, id, place, label, &others, key);
      const std::uint32_t environment = environments.intern(key).number;
      const std::uint32_t target = word(automaton.target(id).index());
      const auto middle = middles.intern(std::vector{environment, target});
      const std::uint32_t node = word(automaton.state_count()) + middle.number;
      if (middle.is_new) {
        graph.edges.push_back({node, word(places.count()), target});
        initial.block_of.push_back(state_blocks + environment);
      }
      const std::vector edge{word(children[place].index()), label, node};
      if (edges.intern(edge).is_new) graph.edges.push_back({edge[0], edge[1], edge[2]});
    }
  }
  graph.node_count += middles.size();
  initial.below.resize(state_blocks + environments.size());
  std::vector<std::vector<std::uint32_t>> by_label(places.count());
  for (std::uint32_t environment = 0; environment < environments.size(); ++environment)
    by_label[environments[environment][0]].push_back(environment);
  for (const auto& group : by_label)
    for (std::uint32_t a : group) {
      stop.check();
      for (std::uint32_t b : group)
        if (std::ranges::equal(environments[a].subspan(1), environments[b].subspan(1),
                               [&](std::uint32_t x, std::uint32_t y) { return others.classes().test(x, y); }))
          initial.below.set(state_blocks + a, state_blocks + b);
    }
  return restricted(greatest_simulation(graph, initial, stop), automaton.state_count());
}

}  // namespace lockwood::treeauto
