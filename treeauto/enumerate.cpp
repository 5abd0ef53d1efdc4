#include "treeauto/enumerate.hpp"

#include "treeauto/finiteness.hpp"

namespace lockwood::treeauto {

TreeEnumeration::TreeEnumeration(const Automaton& automaton, StopToken stop)
    : counter_{automaton, stop}, is_finite_{is_finite(automaton)}, stop_{stop} {}

std::optional<Tree> TreeEnumeration::next() {
  while (number_ >= counter_.count(nodes_, stop_)) {
    stop_.check();
    if (is_finite_ && counter_.is_last(nodes_, stop_)) return std::nullopt;
    ++nodes_;
    number_ = 0;
  }
  return counter_.tree(nodes_, number_++, stop_);
}

void TreeEnumeration::skip_to(std::size_t nodes) {
  if (nodes <= nodes_) return;
  nodes_ = nodes;
  number_ = 0;
}

}  // namespace lockwood::treeauto
