#include "solver/construction/intersection.hpp"

#include "treeauto/operations/intersection.hpp"
#include "treeauto/operations/trim.hpp"
#include "treeauto/simulation/bisimulation.hpp"

namespace lockwood::solver::reference {

using treeauto::Automaton;

Automaton reduced(const Automaton& automaton, StopToken stop) {
  return bisimulation_quotient(trimmed(automaton), stop);
}

Automaton intersected(const Automaton& trees, const Automaton& others, StopToken stop) {
  return reduced(intersection(trees, others, stop), stop);
}

}  // namespace lockwood::solver::reference
