#include "treeauto/lazy/universality.hpp"

#include "treeauto/operations/universal.hpp"

namespace lockwood::treeauto {

std::optional<SharedTree> rejected_tree(const Automaton& automaton, InclusionOptions options, StopToken stop) {
  return inclusion(universal_automaton(automaton.alphabet()), automaton, options, stop).counterexample;
}

bool is_universal(const Automaton& automaton, StopToken stop) { return !rejected_tree(automaton, {}, stop); }

}  // namespace lockwood::treeauto
