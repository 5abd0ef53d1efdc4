#include "treeauto/operations/trim.hpp"

#include <cassert>
#include <optional>
#include <vector>

#include "treeauto/automaton/automaton_builder.hpp"

namespace lockwood::treeauto {

// q is accessible if some transition f(q₁, …, qₙ) → q has all of q₁, …, qₙ accessible: the least model of one Horn
// clause per transition. Each transition counts the children it still waits for, so each is looked at once. A child
// that occurs twice is counted twice, and also listed twice among its occurrences.
IdVector<State, bool> accessible_states(const Automaton& automaton) {
  IdVector<State, bool> accessible(automaton.state_count());
  IdVector<TransitionId, std::uint32_t> missing(automaton.transition_count());  // children not yet accessible
  std::vector<State> worklist;
  const auto mark = [&](State state) {
    if (accessible[state]) return;
    accessible[state] = true;
    worklist.push_back(state);
  };
  for (TransitionId id : automaton.transitions()) {
    missing[id] = static_cast<std::uint32_t>(automaton.children(id).size());
    if (missing[id] == 0) mark(automaton.target(id));
  }
  while (!worklist.empty()) {
    const State child = worklist.back();
    worklist.pop_back();
    for (const Occurrence& occurrence : automaton.occurrences(child)) {
      assert(missing[occurrence.transition] > 0);
      if (--missing[occurrence.transition] == 0) mark(automaton.target(occurrence.transition));
    }
  }
  return accessible;
}

IdVector<State, bool> coaccessible_states(const Automaton& automaton) {
  const IdVector<State, bool> accessible = accessible_states(automaton);
  IdVector<State, bool> coaccessible(automaton.state_count());
  std::vector<State> worklist;
  const auto mark = [&](State state) {
    if (coaccessible[state]) return;
    coaccessible[state] = true;
    worklist.push_back(state);
  };
  for (State state : automaton.final_states()) mark(state);
  while (!worklist.empty()) {
    const State target = worklist.back();
    worklist.pop_back();
    for (TransitionId id : automaton.transitions_to(target)) {
      // The siblings of a child must be accessible; the child itself is replaced by the hole of the context.
      std::size_t inaccessible = 0;
      for (State child : automaton.children(id)) inaccessible += accessible[child] ? 0U : 1U;
      if (inaccessible > 1) continue;
      for (State child : automaton.children(id))
        if (inaccessible == 0 || !accessible[child]) mark(child);
    }
  }
  return coaccessible;
}

Automaton restricted(const Automaton& automaton, const IdVector<State, bool>& keep) {
  assert(keep.size() == automaton.state_count());
  AutomatonBuilder builder{automaton.alphabet()};
  builder.set_name(automaton.name());
  IdVector<State, std::optional<State>> kept(automaton.state_count());
  for (State state : automaton.states()) {
    if (!keep[state]) continue;
    kept[state] = automaton.has_state_names() ? builder.state(automaton.state_name(state)) : builder.add_state();
    builder.set_final(*kept[state], automaton.is_final(state));
  }
  if (builder.state_count() == automaton.state_count()) return automaton;
  std::vector<State> children;
  for (TransitionId id : automaton.transitions()) {
    if (!keep[automaton.target(id)]) continue;
    children.clear();
    for (State child : automaton.children(id))
      if (kept[child]) children.push_back(*kept[child]);
    if (children.size() == automaton.children(id).size())
      builder.add(automaton.symbol(id), children, *kept[automaton.target(id)]);
  }
  return std::move(builder).build();
}

Automaton without_inaccessible(const Automaton& automaton) {
  return restricted(automaton, accessible_states(automaton));
}

Automaton trimmed(const Automaton& automaton) {
  IdVector<State, bool> useful = accessible_states(automaton);
  const IdVector<State, bool> coaccessible = coaccessible_states(automaton);
  for (State state : automaton.states()) useful[state] = useful[state] && coaccessible[state];
  return restricted(automaton, useful);
}

}  // namespace lockwood::treeauto
