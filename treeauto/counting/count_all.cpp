#include "treeauto/counting/count_all.hpp"

#include <cassert>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "treeauto/operations/completion.hpp"
#include "treeauto/operations/deterministic.hpp"
#include "treeauto/operations/finiteness.hpp"
#include "treeauto/operations/trim.hpp"

namespace lockwood::treeauto {
namespace {

// Deterministic and without useless states: each tree has one run, and no state is reached from itself if the language
// is finite.
Automaton with_single_runs(const Automaton& automaton, StopToken stop) {
  Automaton useful = trimmed(automaton);
  if (is_deterministic(useful)) return useful;
  return trimmed(to_automaton(minimised(determinised(useful, stop), stop), Totality::Partial, stop));
}

}  // namespace

// The trees of a state are those of its transitions, added up; those of a transition are the product of what its
// children have. States are finished in topological order, each once all transitions to it are.
BigInteger count_all_trees(const Automaton& automaton, StopToken stop) {
  assert(is_finite(automaton));
  const Automaton single = with_single_runs(automaton, stop);
  IdVector<State, BigInteger> counts(single.state_count());
  IdVector<State, std::size_t> open(single.state_count());                 // transitions to it that are not finished
  IdVector<TransitionId, std::size_t> waiting(single.transition_count());  // children that are not finished
  std::vector<State> finished;
  const auto finish = [&](TransitionId id) {
    BigInteger product = 1;
    for (State child : single.children(id)) product *= counts[child];
    const State target = single.target(id);
    counts[target] += product;
    if (--open[target] == 0) finished.push_back(target);
  };

  for (State state : single.states()) open[state] = single.transitions_to(state).size();
  for (TransitionId id : single.transitions()) waiting[id] = single.children(id).size();
  for (TransitionId id : single.transitions())
    if (waiting[id] == 0) finish(id);
  while (!finished.empty()) {
    stop.check();
    const State child = finished.back();
    finished.pop_back();
    for (const Occurrence& occurrence : single.occurrences(child))
      if (--waiting[occurrence.transition] == 0) finish(occurrence.transition);
  }
  BigInteger total = 0;
  for (State state : single.final_states()) total += counts[state];
  return total;
}

}  // namespace lockwood::treeauto
