#include "treeauto/operations/deterministic.hpp"

#include <algorithm>
#include <cassert>

#include "treeauto/automaton/automaton_builder.hpp"
#include "treeauto/automaton/tuples.hpp"

namespace lockwood::treeauto {

std::size_t DeterministicAutomaton::row_count() const {
  std::size_t count = 0;
  for (const Table& table : tables) count += table.targets.size();
  return count;
}

State DeterministicAutomaton::target(Symbol symbol, std::span<const State> children) const {
  const Table& table = tables[symbol];
  if (table.targets.empty()) return sink;
  std::vector<std::uint32_t> classes;
  classes.reserve(children.size());
  assert(children.size() == table.class_of.size());
  for (std::size_t i = 0; i < children.size(); ++i) classes.push_back(table.class_of[i][children[i]]);
  const auto row = table.rows.find(classes);
  return row ? table.targets[*row] : sink;
}

DeterministicAutomaton complement(DeterministicAutomaton automaton) {
  for (State state : automaton.states()) automaton.final[state] = !automaton.final[state];
  return automaton;
}

bool reaches_sink(const DeterministicAutomaton& automaton) {
  for (Symbol symbol : automaton.alphabet.symbols()) {
    const auto& table = automaton.tables[symbol];
    const std::size_t rank = automaton.alphabet.rank(symbol);
    if (rank == 0) {
      if (table.targets.empty()) return true;
      continue;
    }
    if (automaton.state_count() == 1) continue;  // only the sink: no tree with a child
    if (table.targets.empty()) return true;
    // If all states but the sink are in classes of rows, it depends on whether there are rows for all tuples of those.
    double tuples = 1;
    for (const auto& class_of : table.class_of) {
      std::uint32_t highest = 0;
      for (State state : automaton.states()) {
        if (state != automaton.sink && class_of[state] == 0) return true;
        highest = std::max(highest, class_of[state]);
      }
      tuples *= highest;
    }
    if (tuples > static_cast<double>(table.targets.size())) return true;
    if (std::ranges::find(table.targets, automaton.sink) != table.targets.end()) return true;
  }
  return false;
}

Automaton to_automaton(const DeterministicAutomaton& automaton, Totality totality, StopToken stop) {
  assert(totality == Totality::Complete || !automaton.final[automaton.sink]);
  const bool has_sink = totality == Totality::Complete && reaches_sink(automaton);
  AutomatonBuilder builder{automaton.alphabet};
  IdVector<State, State> moved(automaton.state_count(), State{0});
  std::vector<State> all;
  for (State state : automaton.states()) {
    if (state == automaton.sink && !has_sink) continue;
    all.push_back(state);
    moved[state] = builder.add_state();
    builder.set_final(moved[state], automaton.final[state]);
  }
  std::vector<State> children;
  const auto add = [&](Symbol symbol, std::span<const State> from, State target) {
    children.clear();
    for (State child : from) children.push_back(moved[child]);
    builder.add(symbol, children, moved[target]);
  };
  for (Symbol symbol : automaton.alphabet.symbols()) {
    const auto& table = automaton.tables[symbol];
    const std::size_t rank = automaton.alphabet.rank(symbol);
    if (has_sink) {
      const std::vector<std::span<const State>> choices(rank, all);
      each_tuple<State>(choices, [&](std::span<const State> tuple) {
        stop.check();
        add(symbol, tuple, automaton.target(symbol, tuple));
      });
      continue;
    }
    std::vector<std::vector<std::vector<State>>> members(rank);  // by position and class
    for (std::size_t i = 0; i < rank && !table.targets.empty(); ++i)
      for (State state : automaton.states()) {
        const std::uint32_t number = table.class_of[i][state];
        if (members[i].size() <= number) members[i].resize(number + 1);
        members[i][number].push_back(state);
      }
    for (std::uint32_t row = 0; row < table.targets.size(); ++row) {
      if (table.targets[row] == automaton.sink) continue;
      std::vector<std::span<const State>> choices(rank);
      for (std::size_t i = 0; i < rank; ++i) choices[i] = members[i][table.rows[row][i]];
      each_tuple<State>(choices, [&](std::span<const State> tuple) {
        stop.check();
        add(symbol, tuple, table.targets[row]);
      });
    }
  }
  return std::move(builder).build();
}

}  // namespace lockwood::treeauto
