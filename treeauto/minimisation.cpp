#include <algorithm>
#include <numeric>
#include <optional>

#include "treeauto/deterministic.hpp"

namespace lockwood::treeauto {
namespace {

// Moore's partition refinement on product transitions. States with equal classes at all places and equal finality are
// merged at once: they are one kind. In each round, classes at a place get equal signatures if, for all siblings, they
// lead to the same blocks; kinds stay in one block if their classes' signatures agree everywhere. Signatures are
// interned sequences, so that a round takes time linear in the rows times their ranks.
class Refinement {
 public:
  Refinement(const DeterministicAutomaton& automaton, StopToken stop) : automaton_{automaton}, stop_{stop} {
    index_places();
    merge_kinds();
  }

  [[nodiscard]] DeterministicAutomaton result() {
    std::size_t count = initial_blocks();
    while (true) {
      sign_classes();
      const std::size_t refined = sign_kinds();
      if (refined == count) break;
      count = refined;
    }
    return quotient(count);
  }

 private:
  // The rows of a symbol as seen from one position: those of each class together, by the rest of the tuple.
  struct Place {
    Symbol symbol;
    std::size_t position;
    std::vector<std::uint32_t> row;        // numbers of rows, by class and rest
    std::vector<std::uint32_t> rest;       // for each of these, the number of the tuple of the other classes
    std::vector<std::uint32_t> begins;     // by class
    std::vector<std::uint32_t> signature;  // by class, in this round
  };

  void index_places() {
    for (Symbol symbol : automaton_.alphabet.symbols()) {
      const auto& table = automaton_.tables[symbol];
      for (std::size_t position = 0; position < table.class_of.size(); ++position)
        places_.push_back(place(symbol, position));
    }
  }

  [[nodiscard]] Place place(Symbol symbol, std::size_t position) const {
    const auto& table = automaton_.tables[symbol];
    std::uint32_t classes = 0;
    for (std::uint32_t number : table.class_of[position]) classes = std::max(classes, number + 1);
    Place result{.symbol = symbol, .position = position};
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
    result.signature.resize(classes);
    return result;
  }

  void merge_kinds() {
    SequenceTable<std::uint32_t> kinds;
    std::vector<std::uint32_t> classes;
    for (State state : automaton_.states()) {
      classes.assign(1, automaton_.final[state] ? 1U : 0U);
      for (std::uint32_t number = 0; number < places_.size(); ++number) {
        const std::uint32_t found = class_at(places_[number], state);
        if (found != 0) classes.insert(classes.end(), {number, found});
      }
      kind_of_.push_back(kinds.intern(classes).number);
    }
    kinds_ = std::move(kinds);
  }
  [[nodiscard]] std::uint32_t class_at(const Place& place, State state) const {
    return automaton_.tables[place.symbol].class_of[place.position][state];
  }

  std::size_t initial_blocks() {
    SequenceTable<std::uint32_t> blocks;
    for (std::size_t kind = 0; kind < kinds_.size(); ++kind)
      block_of_.push_back(blocks.intern(kinds_[kind].first(1)).number);
    return blocks.size();
  }

  void sign_classes() {
    const std::uint32_t sink = block_of_[kind_of_[automaton_.sink]];
    SequenceTable<std::uint32_t> signatures;
    std::vector<std::uint32_t> signature;
    for (Place& place : places_) {
      stop_.check();
      const auto& targets = automaton_.tables[place.symbol].targets;
      signatures.clear();
      signatures.intern({});  // signature 0: to the sink's block, whatever the siblings are
      for (std::size_t number = 0; number < place.signature.size(); ++number) {
        signature.clear();
        for (std::size_t i = place.begins[number]; i < place.begins[number + 1]; ++i) {
          const std::uint32_t block = block_of_[kind_of_[targets[place.row[i]]]];
          if (block != sink) signature.insert(signature.end(), {place.rest[i], block});
        }
        place.signature[number] = signatures.intern(signature).number;
      }
    }
  }

  std::size_t sign_kinds() {
    SequenceTable<std::uint32_t> blocks;
    std::vector<std::uint32_t> refined;
    std::vector<std::uint32_t> signature;
    for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
      signature.assign(1, block_of_[kind]);
      const auto classes = kinds_[kind].subspan(1);
      for (std::size_t i = 0; i < classes.size(); i += 2) {
        const std::uint32_t found = places_[classes[i]].signature[classes[i + 1]];
        if (found != 0) signature.insert(signature.end(), {classes[i], found});
      }
      refined.push_back(blocks.intern(signature).number);
    }
    block_of_ = std::move(refined);
    return blocks.size();
  }

  // Blocks become states, signatures classes. Blocks are numbered in the order of their first states.
  [[nodiscard]] DeterministicAutomaton quotient(std::size_t count) {
    sign_classes();
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
        if (table.rows.intern(tuple).is_new) table.targets.push_back(block(old.targets[row]));
      }
      if (table.targets.empty()) table.class_of.clear();
    }
    return result;
  }

  const DeterministicAutomaton& automaton_;
  StopToken stop_;
  std::vector<Place> places_;
  IdVector<State, std::uint32_t> kind_of_;
  SequenceTable<std::uint32_t> kinds_;   // finality, then place and class wherever the class is not 0
  std::vector<std::uint32_t> block_of_;  // by kind
};

}  // namespace

DeterministicAutomaton minimised(const DeterministicAutomaton& automaton, StopToken stop) {
  return Refinement{automaton, stop}.result();
}

}  // namespace lockwood::treeauto
