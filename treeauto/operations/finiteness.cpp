#include "treeauto/operations/finiteness.hpp"

#include <algorithm>
#include <vector>

#include "treeauto/automaton/shared_tree.hpp"
#include "treeauto/operations/trim.hpp"

namespace lockwood::treeauto {

bool is_finite(const Automaton& automaton) { return largest_tree_size(automaton).has_value(); }

// Takes away states without children left, over and over: what remains is on or above a cycle. A state is taken away
// after all that can stand below it, so its largest tree is known then.
std::optional<std::uint64_t> largest_tree_size(const Automaton& automaton, StopToken stop) {
  const Automaton useful = trimmed(automaton);
  IdVector<State, std::size_t> below(useful.state_count());  // children of transitions to it, not yet taken away
  for (TransitionId id : useful.transitions()) below[useful.target(id)] += useful.children(id).size();
  IdVector<State, std::uint64_t> largest(useful.state_count());
  std::vector<State> worklist;
  for (State state : useful.states())
    if (below[state] == 0) worklist.push_back(state);
  std::size_t taken = 0;
  while (!worklist.empty()) {
    stop.check();
    const State child = worklist.back();
    worklist.pop_back();
    ++taken;
    for (TransitionId id : useful.transitions_to(child)) {
      std::uint64_t nodes = 1;
      for (State below_it : useful.children(id)) nodes = saturating_sum(nodes, largest[below_it]);
      largest[child] = std::max(largest[child], nodes);
    }
    for (const Occurrence& occurrence : useful.occurrences(child))
      if (--below[useful.target(occurrence.transition)] == 0) worklist.push_back(useful.target(occurrence.transition));
  }
  if (taken < useful.state_count()) return std::nullopt;
  std::uint64_t result = 0;
  for (State state : useful.final_states()) result = std::max(result, largest[state]);
  return result;
}

}  // namespace lockwood::treeauto
