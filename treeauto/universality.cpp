#include "treeauto/universality.hpp"

#include "treeauto/lazy_complement.hpp"
#include "treeauto/lazy_exploration.hpp"
#include "treeauto/trim.hpp"

namespace lockwood::treeauto {

std::optional<SharedTree> rejected_tree(const Automaton& automaton, StopToken stop) {
  return some_tree(LazyComplement{trimmed(automaton)}, stop);
}

bool is_universal(const Automaton& automaton, StopToken stop) { return !rejected_tree(automaton, stop).has_value(); }

}  // namespace lockwood::treeauto
