#include "treeauto/counting/enumerate.hpp"

#include "treeauto/operations/finiteness.hpp"

namespace lockwood::treeauto {

TreeEnumeration::TreeEnumeration(const Automaton& automaton, StopToken stop)
    : counter_{automaton, stop}, largest_{largest_tree_size(automaton, stop)}, stop_{stop} {}

std::optional<Tree> TreeEnumeration::next() {
  while (true) {
    stop_.check();
    if (largest_ && nodes_ > *largest_) return std::nullopt;
    if (number_ < counter_.count(nodes_, stop_)) break;
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
