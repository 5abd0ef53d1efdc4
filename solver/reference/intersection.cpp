#include "solver/reference/intersection.hpp"

#include <optional>
#include <vector>

#include "treeauto/automaton_builder.hpp"
#include "treeauto/bisimulation.hpp"

namespace lockwood::solver::reference {

using treeauto::Automaton;
using treeauto::State;

Automaton reduced(const Automaton& automaton, StopToken stop) {
  IdVector<State, bool> useful(automaton.state_count(), false);
  std::vector<State> pending;
  const auto mark = [&](State state) {
    if (useful[state]) return;
    useful[state] = true;
    pending.push_back(state);
  };
  for (State state : automaton.final_states()) mark(state);
  while (!pending.empty()) {
    stop.check();
    const State state = pending.back();
    pending.pop_back();
    for (treeauto::TransitionId id : automaton.transitions_to(state))
      for (State child : automaton.children(id)) mark(child);
  }
  treeauto::AutomatonBuilder builder{automaton.alphabet()};
  IdVector<State, std::optional<State>> number(automaton.state_count());
  for (State state : automaton.states())
    if (useful[state]) {
      number[state] = builder.add_state();
      builder.set_final(*number[state], automaton.is_final(state));
    }
  for (treeauto::TransitionId id : automaton.transitions()) {
    if (!useful[automaton.target(id)]) continue;
    std::vector<State> children;
    for (State child : automaton.children(id)) children.push_back(*number[child]);
    builder.add(automaton.symbol(id), children, *number[automaton.target(id)]);
  }
  return treeauto::bisimulation_quotient(std::move(builder).build(), stop);
}

Automaton intersected(const Automaton& trees, const Automaton& others, StopToken stop) {
  return reduced(materialised(trees, treeauto::LazyView{others}, stop), stop);
}

}  // namespace lockwood::solver::reference
