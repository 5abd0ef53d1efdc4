#include "tests/oracle/treeauto/reference_simulation.hpp"

#include <algorithm>

namespace lockwood::treeauto::reference {
namespace {

template <class Condition>
StateRelation greatest_fixpoint(const Automaton& automaton, Condition&& holds) {
  StateRelation relation;
  for (State a : automaton.states())
    for (State b : automaton.states()) relation.emplace(a, b);
  while (std::erase_if(relation, [&](const auto& pair) { return !holds(relation, pair.first, pair.second); }) > 0) {
  }
  return relation;
}

}  // namespace

StateRelation downward_simulation(const Automaton& automaton) {
  return greatest_fixpoint(automaton, [&](const StateRelation& relation, State a, State b) {
    return std::ranges::all_of(automaton.transitions(), [&](TransitionId of_a) {
      if (automaton.target(of_a) != a) return true;
      return std::ranges::any_of(automaton.transitions(), [&](TransitionId of_b) {
        return automaton.target(of_b) == b && automaton.symbol(of_a) == automaton.symbol(of_b) &&
               std::ranges::equal(automaton.children(of_a), automaton.children(of_b), [&](State x, State y) {
                 return relation.contains({x, y});
               });
      });
    });
  });
}

StateRelation upward_simulation(const Automaton& automaton, const StateRelation& others) {
  return greatest_fixpoint(automaton, [&](const StateRelation& relation, State a, State b) {
    if (automaton.is_final(a) && !automaton.is_final(b)) return false;
    for (TransitionId of_a : automaton.transitions()) {
      const auto left = automaton.children(of_a);
      for (std::size_t place = 0; place < left.size(); ++place) {
        if (left[place] != a) continue;
        const bool answered = std::ranges::any_of(automaton.transitions(), [&](TransitionId of_b) {
          if (automaton.symbol(of_a) != automaton.symbol(of_b)) return false;
          const auto right = automaton.children(of_b);
          if (right[place] != b || !relation.contains({automaton.target(of_a), automaton.target(of_b)})) return false;
          for (std::size_t other = 0; other < left.size(); ++other)
            if (other != place && !others.contains({left[other], right[other]})) return false;
          return true;
        });
        if (!answered) return false;
      }
    }
    return true;
  });
}

StateRelation identity(const Automaton& automaton) {
  StateRelation relation;
  for (State state : automaton.states()) relation.emplace(state, state);
  return relation;
}

}  // namespace lockwood::treeauto::reference
