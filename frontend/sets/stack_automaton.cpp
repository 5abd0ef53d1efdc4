// The positions of a pattern are the states of its position automaton [glushkov.61.abstract]: from a position one can
// go to those that may follow it. Read backwards, followers become predecessors, and what may stand last comes first.
// The automaton is then determinised by subsets.
#include "frontend/sets/stack_automaton.hpp"

#include <algorithm>
#include <map>
#include <type_traits>

namespace lockwood::sets {
namespace {

using Position = std::uint32_t;
using Positions = std::vector<Position>;  // ascending

void unite(Positions& all, const Positions& more) {
  Positions both;
  std::ranges::set_union(all, more, std::back_inserter(both));
  all = std::move(both);
}

struct Part {  // of a pattern
  bool nullable;
  Positions first;
  Positions last;
};

class PositionAutomaton {
 public:
  explicit PositionAutomaton(const Pattern& pattern) : whole{part(pattern)} {}

 private:
  Part part(const Pattern& pattern) {
    return std::visit([this](const auto& what) { return part(what); }, pattern.what);
  }
  Part part(const OneSymbol& symbol) {
    const auto position = static_cast<Position>(symbols.size());
    symbols.push_back(&symbol);
    before.emplace_back();
    return {false, {position}, {position}};
  }
  Part part(const Sequence& sequence) {
    Part all{true, {}, {}};
    for (const PatternPtr& each : sequence.parts) {
      const Part next = part(*each);
      connect(all.last, next.first);
      if (all.nullable) unite(all.first, next.first);
      if (!next.nullable) all.last.clear();
      unite(all.last, next.last);
      all.nullable = all.nullable && next.nullable;
    }
    return all;
  }
  Part part(const Choice& choice) {
    Part all{false, {}, {}};
    for (const PatternPtr& each : choice.parts) {
      const Part next = part(*each);
      unite(all.first, next.first);
      unite(all.last, next.last);
      all.nullable = all.nullable || next.nullable;
    }
    return all;
  }
  Part part(const Repetition& repetition) {
    Part all = part(*repetition.part);
    if (repetition.times != Times::Optional) connect(all.last, all.first);
    if (repetition.times != Times::Some) all.nullable = true;
    return all;
  }
  void connect(const Positions& from, const Positions& to) {
    for (Position position : to) unite(before[position], from);
  }

 public:
  std::vector<const OneSymbol*> symbols;  // by position
  std::vector<Positions> before;          // which may stand directly before it
  Part whole;                             // the last member: computing it fills the others
};

}  // namespace

std::size_t size_of(const Pattern& pattern) {
  return std::visit(
      [](const auto& what) -> std::size_t {
        if constexpr (requires { what.parts; }) {
          std::size_t size = 0;
          for (const PatternPtr& each : what.parts) size += size_of(*each);
          return size;
        } else if constexpr (requires { what.part; }) {
          return size_of(*what.part);
        } else {
          return 1;
        }
      },
      pattern.what);
}

StackAutomaton stack_automaton(const Pattern& pattern, std::size_t symbol_count,
                               const std::function<std::vector<dpn::StackSymbol>(const OneSymbol&)>& symbols_of,
                               StopToken stop) {
  const PositionAutomaton positions{pattern};
  StackAutomaton result{IdVector<dpn::StackSymbol, std::uint32_t>(symbol_count), {}, {}};

  // Symbols that fit the same positions are a class. Most are not named at all, and fit where any other one does.
  std::map<dpn::StackSymbol, Positions> naming;  // the positions that name the symbol
  for (Position position = 0; position < positions.symbols.size(); ++position)
    for (dpn::StackSymbol symbol : symbols_of(*positions.symbols[position])) {
      Positions& all = naming[symbol];
      if (all.empty() || all.back() != position) all.push_back(position);
    }
  std::map<Positions, std::uint32_t> classes{{{}, 0}};
  for (const auto& [symbol, named] : naming)
    result.class_of[symbol] = classes.try_emplace(named, static_cast<std::uint32_t>(classes.size())).first->second;
  std::vector<std::vector<bool>> fits(classes.size(), std::vector<bool>(positions.symbols.size()));
  for (const auto& [named, number] : classes)
    for (Position position = 0; position < positions.symbols.size(); ++position)
      fits[number][position] = std::ranges::binary_search(named, position) != positions.symbols[position]->others;

  // A state is the set of positions that the symbol read last may be at. Before the first symbol there are none, and
  // it is another state than the one of stacks that do not fit.
  using State = StackAutomaton::State;
  std::map<Positions, State> numbers;
  std::vector<Positions> candidates;  // by state: where the next symbol may stand
  const auto add = [&](bool accepting, Positions next) {
    result.accepting.push_back(accepting);
    candidates.push_back(std::move(next));
    stop.check_states(candidates.size());
    return result.next.push_back({});
  };
  (void)add(positions.whole.nullable, positions.whole.last);
  for (std::size_t state = 0; state < candidates.size(); ++state) {
    for (const std::vector<bool>& fit : fits) {
      stop.check();
      Positions read;
      for (Position position : candidates[state])
        if (fit[position]) read.push_back(position);
      auto found = numbers.find(read);
      if (found == numbers.end()) {
        Positions next;
        bool accepting = false;
        for (Position position : read) {
          unite(next, positions.before[position]);
          accepting = accepting || std::ranges::binary_search(positions.whole.first, position);
        }
        found = numbers.emplace(read, add(accepting, std::move(next))).first;
      }
      result.next[State{state}].push_back(found->second);
    }
  }
  return result;
}

}  // namespace lockwood::sets
