#include "solver/reference/intersection.hpp"

#include "treeauto/bisimulation.hpp"
#include "treeauto/intersection.hpp"
#include "treeauto/trim.hpp"

namespace lockwood::solver::reference {

using treeauto::Automaton;

Automaton reduced(const Automaton& automaton, StopToken stop) {
  return bisimulation_quotient(trimmed(automaton), stop);
}

Automaton intersected(const Automaton& trees, const Automaton& others, StopToken stop) {
  return reduced(intersection(trees, others, stop), stop);
}

}  // namespace lockwood::solver::reference
