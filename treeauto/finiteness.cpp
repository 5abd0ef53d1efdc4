#include "treeauto/finiteness.hpp"

#include <vector>

#include "treeauto/trim.hpp"

namespace lockwood::treeauto {

// Takes away states without children left, over and over: what remains is on or above a cycle.
bool is_finite(const Automaton& automaton) {
  const Automaton useful = trimmed(automaton);
  IdVector<State, std::size_t> below(useful.state_count());  // children of transitions to it, not yet taken away
  for (TransitionId id : useful.transitions()) below[useful.target(id)] += useful.children(id).size();
  std::vector<State> worklist;
  for (State state : useful.states())
    if (below[state] == 0) worklist.push_back(state);
  std::size_t taken = 0;
  while (!worklist.empty()) {
    const State child = worklist.back();
    worklist.pop_back();
    ++taken;
    for (const Occurrence& occurrence : useful.occurrences(child))
      if (--below[useful.target(occurrence.transition)] == 0) worklist.push_back(useful.target(occurrence.transition));
  }
  return taken == useful.state_count();
}

}  // namespace lockwood::treeauto
