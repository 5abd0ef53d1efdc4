#include "treeauto/automaton/shared_tree.hpp"

#include <cassert>

namespace lockwood::treeauto {

std::string size_as_text(std::uint64_t size) {
  const bool saturated = size == std::numeric_limits<std::uint64_t>::max();
  return (saturated ? "at least " : "") + std::to_string(size);
}

TreeTooLarge::TreeTooLarge(std::uint64_t size)
    : std::length_error{"the tree has " + size_as_text(size) + " nodes, too many to write it down"}, size_{size} {}

std::uint64_t tree_size(const SharedTree& shared) {
  assert(shared.stored_nodes() > 0);
  std::vector<std::uint64_t> sizes(shared.stored_nodes(), 1);
  for (std::uint32_t node = 0; node < shared.stored_nodes(); ++node)
    for (std::uint32_t child : shared.children(node)) sizes[node] = saturating_sum(sizes[node], sizes[child]);
  return sizes.back();
}

Tree unfolded(const SharedTree& shared, std::uint64_t limit) {
  const std::uint64_t size = tree_size(shared);
  if (size > limit) throw TreeTooLarge{size};
  std::vector<Symbol> preorder;
  preorder.reserve(size);
  std::vector<std::uint32_t> pending{shared.root()};  // the next subtree is at the end
  while (!pending.empty()) {
    const std::uint32_t node = pending.back();
    pending.pop_back();
    preorder.push_back(shared.symbol(node));
    const auto children = shared.children(node);
    pending.insert(pending.end(), children.rbegin(), children.rend());
  }
  assert(preorder.size() == size);
  return Tree{shared.alphabet(), std::move(preorder)};
}

}  // namespace lockwood::treeauto
