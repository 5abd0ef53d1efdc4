#include "treeauto/automaton/tree.hpp"

#include <algorithm>
#include <cassert>

namespace lockwood::treeauto {

Tree::Tree(Alphabet alphabet, std::vector<Symbol> preorder)
    : alphabet_{std::move(alphabet)}, preorder_{std::move(preorder)} {
  assert(is_tree(alphabet_, preorder_));
}

bool operator==(const Tree& a, const Tree& b) {
  if (a.alphabet() == b.alphabet()) return std::ranges::equal(a.preorder(), b.preorder());
  const auto match = matched(a.alphabet(), b.alphabet());
  return std::ranges::equal(a.preorder(), b.preorder(), [&](Symbol x, Symbol y) { return match[x] == y; });
}

bool is_tree(const Alphabet& alphabet, std::span<const Symbol> preorder) {
  std::size_t missing = 1;  // subtrees still to come
  for (Symbol symbol : preorder) {
    if (missing == 0) return false;
    missing += alphabet.rank(symbol) - 1;
  }
  return missing == 0;
}

std::size_t height(const Tree& tree) {
  return evaluated<std::size_t>(tree, [](Symbol, std::span<const std::size_t> children) {
    return children.empty() ? 1 : 1 + *std::ranges::max_element(children);
  });
}

std::vector<std::size_t> subtree_sizes(const Tree& tree) {
  std::vector<std::size_t> sizes(tree.size());
  for (std::size_t node = tree.size(); node-- > 0;) {
    std::size_t next = node + 1;  // where the next child begins
    for (std::size_t child = 0; child < tree.alphabet().rank(tree.preorder()[node]); ++child) next += sizes[next];
    sizes[node] = next - node;
  }
  assert(sizes.empty() || sizes.front() == tree.size());
  return sizes;
}

std::string to_text(const Tree& tree) {
  std::string text;
  std::vector<std::size_t> open;  // for each open parenthesis, how many children are still to come
  for (Symbol symbol : tree.preorder()) {
    text += tree.alphabet().name(symbol);
    if (const std::size_t rank = tree.alphabet().rank(symbol); rank > 0) {
      text += '(';
      open.push_back(rank);
      continue;
    }
    while (!open.empty() && --open.back() == 0) {
      text += ')';
      open.pop_back();
    }
    if (!open.empty()) text += ',';
  }
  assert(open.empty());
  return text;
}

Tree with_alphabet(const Tree& tree, const Alphabet& alphabet) {
  if (tree.alphabet() == alphabet) return tree;
  const auto match = matched(tree.alphabet(), alphabet);
  std::vector<Symbol> preorder;
  preorder.reserve(tree.size());
  for (Symbol symbol : tree.preorder()) preorder.push_back(match[symbol].value());
  return Tree{alphabet, std::move(preorder)};
}

}  // namespace lockwood::treeauto
