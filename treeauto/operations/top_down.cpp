#include "treeauto/operations/top_down.hpp"

#include <algorithm>

namespace lockwood::treeauto {

std::span<const TransitionId> choices(const Automaton& automaton, State state, Symbol symbol) {
  const auto all = automaton.transitions_to(state);
  const auto begin = std::ranges::partition_point(all, [&](TransitionId id) { return automaton.symbol(id) < symbol; });
  const auto end =
      std::partition_point(begin, all.end(), [&](TransitionId id) { return automaton.symbol(id) == symbol; });
  return {begin, end};
}

bool is_top_down_deterministic(const Automaton& automaton) {
  if (automaton.final_states().size() > 1) return false;
  for (State state : automaton.states()) {
    const auto all = automaton.transitions_to(state);
    for (std::size_t i = 1; i < all.size(); ++i)
      if (automaton.symbol(all[i]) == automaton.symbol(all[i - 1])) return false;
  }
  return true;
}

std::string to_grammar(const Automaton& automaton) {
  std::string text = "start";
  for (State state : automaton.final_states()) text += ' ' + automaton.state_name(state);
  text += '\n';
  for (State state : automaton.states())
    for (TransitionId id : automaton.transitions_to(state)) {
      text += automaton.state_name(state) + " -> " + std::string{automaton.alphabet().name(automaton.symbol(id))};
      const char* before = "(";
      for (State child : automaton.children(id)) {
        text += before + automaton.state_name(child);
        before = ", ";
      }
      text += automaton.children(id).empty() ? "\n" : ")\n";
    }
  return text;
}

}  // namespace lockwood::treeauto
