#include <algorithm>
#include <cassert>
#include <numeric>
#include <optional>

#include "treeauto/automaton/word.hpp"
#include "treeauto/operations/deterministic.hpp"
#include "treeauto/simulation/graph_bisimulation.hpp"

namespace lockwood::treeauto {
namespace {

// Minimisation of product transitions as the bisimulation of a graph. States with equal classes at all places and equal
// finality are merged at once: they are one kind. A kind has an edge to its class at each place, and a class an edge
// for each row, labelled by the siblings, to the row's target. Kinds that no context tells from the sink, and classes
// that lead only to such ones, are left out first: where an edge is missing the sink is meant, and then only the sink.
class Minimisation {
 public:
  Minimisation(const DeterministicAutomaton& automaton, StopToken stop) : automaton_{automaton}, stop_{stop} {
    index_places();
    merge_kinds();
  }

  [[nodiscard]] DeterministicAutomaton result() {
    const LabelledGraph graph = useful_part(edges());
    std::vector<std::uint32_t> initial(graph.node_count);
    for (std::size_t kind = 0; kind < kinds_.size(); ++kind) initial[kind] = kinds_[kind][0];
    for (std::size_t number = 0; number < places_.size(); ++number)
      for (std::uint32_t each = 0; each < class_count(places_[number]); ++each)
        initial[places_[number].first_node + each] = word(2 + number);
    take(coarsest_bisimulation(graph, initial, stop_));
    return quotient();
  }

 private:
  // The rows of a symbol as seen from one position: those of each class together, by the rest of the tuple.
  struct Slot {
    Symbol symbol;
    std::size_t position;
    std::vector<std::uint32_t> row;        // numbers of rows, by class and rest
    std::vector<std::uint32_t> rest;       // for each of these, the number of the tuple of the other classes
    std::vector<std::uint32_t> begins;     // by class
    std::uint32_t first_node = 0;          // of its classes, in the graph
    std::vector<std::uint32_t> signature;  // by class: the class of the result
  };

  void index_places() {
    for (Symbol symbol : automaton_.alphabet.symbols()) {
      const auto& table = automaton_.tables[symbol];
      for (std::size_t position = 0; position < table.class_of.size(); ++position) {
        stop_.check();
        places_.push_back(place(symbol, position));
      }
    }
  }

  [[nodiscard]] Slot place(Symbol symbol, std::size_t position) const {
    const auto& table = automaton_.tables[symbol];
    std::uint32_t classes = 0;
    for (std::uint32_t number : table.class_of[position]) classes = std::max(classes, number + 1);
    Slot result{.symbol = symbol, .position = position};
    SequenceTable<std::uint32_t> rests;
    std::vector<std::uint32_t> rest_of(table.targets.size());
    std::vector<std::uint32_t> others;
    for (std::uint32_t row = 0; row < table.targets.size(); ++row) {
      const auto tuple = table.rows[row];
      others.assign(tuple.begin(), tuple.end());
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(position));
      rest_of[row] = rests.intern(others).number;
    }
    result.row.resize(table.targets.size());
    std::iota(result.row.begin(), result.row.end(), 0U);
    std::ranges::sort(result.row, {}, [&](std::uint32_t row) {
      return std::pair{table.rows[row][position], rest_of[row]};
    });
    result.begins.assign(classes + 1, 0);
    for (std::uint32_t row : result.row) {
      result.rest.push_back(rest_of[row]);
      ++result.begins[table.rows[row][position] + 1];
    }
    std::partial_sum(result.begins.begin(), result.begins.end(), result.begins.begin());
    assert(result.begins.back() == result.row.size());
    return result;
  }

  void merge_kinds() {
    SequenceTable<std::uint32_t> kinds;
    std::vector<std::uint32_t> classes;
    for (State state : automaton_.states()) {
      stop_.check();
      classes.assign(1, automaton_.final[state] ? 1U : 0U);
      for (std::uint32_t number = 0; number < places_.size(); ++number) {
        const std::uint32_t found = class_at(places_[number], state);
        if (found != 0) classes.insert(classes.end(), {number, found});
      }
      kind_of_.push_back(kinds.intern(classes).number);
    }
    kinds_ = std::move(kinds);
  }
  [[nodiscard]] std::uint32_t class_at(const Slot& place, State state) const {
    return automaton_.tables[place.symbol].class_of[place.position][state];
  }

  [[nodiscard]] static std::uint32_t class_count(const Slot& place) { return word(place.begins.size() - 1); }

  // Kinds, then the classes of each place.
  LabelledGraph edges() {
    LabelledGraph graph{.node_count = kinds_.size(), .label_count = places_.size(), .edges = {}};
    for (Slot& place : places_) {
      place.first_node = word(graph.node_count);
      graph.node_count += class_count(place);
    }
    for (std::uint32_t kind = 0; kind < kinds_.size(); ++kind) {
      const auto classes = kinds_[kind].subspan(1);
      for (std::size_t i = 0; i < classes.size(); i += 2)
        graph.edges.push_back({kind, classes[i], places_[classes[i]].first_node + classes[i + 1]});
    }
    for (const Slot& place : places_) {
      const auto& targets = automaton_.tables[place.symbol].targets;
      for (std::uint32_t each = 0; each < class_count(place); ++each)
        for (std::size_t i = place.begins[each]; i < place.begins[each + 1]; ++i) {
          const std::uint32_t label = word(places_.size() + place.rest[i]);
          graph.label_count = std::max<std::size_t>(graph.label_count, label + 1);
          graph.edges.push_back({place.first_node + each, label, kind_of_[targets[place.row[i]]]});
        }
    }
    return graph;
  }

  // Without edges to nodes from which no edges lead to a kind whose finality is not the sink's.
  [[nodiscard]] LabelledGraph useful_part(LabelledGraph graph) const {
    const std::uint32_t finality = kinds_[kind_of_[automaton_.sink]][0];
    std::vector<bool> useful(graph.node_count);
    std::vector<std::vector<std::uint32_t>> sources(graph.node_count);
    for (const auto& edge : graph.edges) sources[edge.to].push_back(edge.from);
    std::vector<std::uint32_t> worklist;
    const auto mark = [&](std::uint32_t node) {
      if (useful[node]) return;
      useful[node] = true;
      worklist.push_back(node);
    };
    for (std::uint32_t kind = 0; kind < kinds_.size(); ++kind)
      if (kinds_[kind][0] != finality) mark(kind);
    while (!worklist.empty()) {
      const std::uint32_t node = worklist.back();
      worklist.pop_back();
      for (std::uint32_t source : sources[node]) mark(source);
    }
    std::erase_if(graph.edges, [&](const auto& edge) { return !useful[edge.to]; });
    return graph;
  }

  // Class 0 has no rows, so that its number stays.
  void take(const NodePartition& partition) {
    block_of_.assign(partition.block_of.begin(),
                     partition.block_of.begin() + static_cast<std::ptrdiff_t>(kinds_.size()));
    std::vector<std::uint32_t> number(partition.block_count);
    for (Slot& place : places_) {
      std::uint32_t numbers = 0;  // plus 1, so that 0 is none
      for (std::uint32_t each = 0; each < class_count(place); ++each) {
        std::uint32_t& given = number[partition.block_of[place.first_node + each]];
        if (given == 0) given = ++numbers;
        place.signature.push_back(given - 1);
      }
      assert(place.signature.empty() || place.signature.front() == 0);
    }
  }

  // Blocks become states, signatures classes. Blocks are numbered in the order of their first states.
  [[nodiscard]] DeterministicAutomaton quotient() const {
    const std::size_t count = block_of_.empty() ? 0 : 1 + *std::ranges::max_element(block_of_);
    const auto block = [this](State state) { return State{block_of_[kind_of_[state]]}; };
    DeterministicAutomaton result{
        .alphabet = automaton_.alphabet, .tables = {}, .final = {}, .sink = block(automaton_.sink)};
    result.tables.resize(automaton_.alphabet.size());
    result.final.resize(count);
    for (State state : automaton_.states()) result.final[block(state)] = automaton_.final[state];
    auto place = places_.begin();
    std::vector<std::uint32_t> tuple;
    for (Symbol symbol : automaton_.alphabet.symbols()) {
      const auto& old = automaton_.tables[symbol];
      auto& table = result.tables[symbol];
      const auto first = place;
      for (std::size_t i = 0; i < old.class_of.size(); ++i, ++place) {
        table.class_of.emplace_back(count);
        for (State state : automaton_.states())
          table.class_of[i][block(state)] = place->signature[class_at(*place, state)];
      }
      for (std::uint32_t row = 0; row < old.targets.size(); ++row) {
        if (block(old.targets[row]) == result.sink) continue;
        tuple.clear();
        for (std::size_t i = 0; i < old.class_of.size(); ++i)
          tuple.push_back((first + static_cast<std::ptrdiff_t>(i))->signature[old.rows[row][i]]);
        const auto [number, is_new] = table.rows.intern(tuple);
        if (is_new) table.targets.push_back(block(old.targets[row]));
        assert(table.targets[number] == block(old.targets[row]));  // blocks are stable
      }
      if (table.targets.empty()) table.class_of.clear();
    }
    return result;
  }

  const DeterministicAutomaton& automaton_;
  StopToken stop_;
  std::vector<Slot> places_;
  IdVector<State, std::uint32_t> kind_of_;
  SequenceTable<std::uint32_t> kinds_;   // finality, then place and class wherever the class is not 0
  std::vector<std::uint32_t> block_of_;  // by kind
};

}  // namespace

DeterministicAutomaton minimised(const DeterministicAutomaton& automaton, StopToken stop) {
  return Minimisation{automaton, stop}.result();
}

}  // namespace lockwood::treeauto
