#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "treeauto/automaton/alphabet.hpp"

namespace lockwood::treeauto {

// A finite ordered tree over a ranked alphabet, as the sequence of its symbols in preorder: with the ranks known, that
// is all there is to say. Read backwards, every node comes after its children, the last child first.
// Invariant: the sequence is exactly one tree, so it is not empty.
class Tree {
 public:
  // Requires is_tree(alphabet, preorder).
  Tree(Alphabet alphabet, std::vector<Symbol> preorder);
  [[nodiscard]] const Alphabet& alphabet() const { return alphabet_; }
  [[nodiscard]] std::span<const Symbol> preorder() const { return preorder_; }
  [[nodiscard]] std::size_t size() const { return preorder_.size(); }
  // The same shape and the same names; the numbers of the symbols do not matter.
  friend bool operator==(const Tree& a, const Tree& b);

 private:
  Alphabet alphabet_;
  std::vector<Symbol> preorder_;
};

[[nodiscard]] bool is_tree(const Alphabet& alphabet, std::span<const Symbol> preorder);

// Number of nodes on the longest path from the root.
[[nodiscard]] std::size_t height(const Tree& tree);

// Number of nodes of the subtree at each node, by its place in preorder.
[[nodiscard]] std::vector<std::size_t> subtree_sizes(const Tree& tree);

// Evaluates a tree bottom-up: `value(symbol, values of the children)` at each node, children before their parent.
// Returns the value of the root. Values are default-constructible and movable.
template <class Value, class Function>
[[nodiscard]] Value evaluated(const Tree& tree, Function&& value) {
  // The values of finished subtrees, growing towards the front, so that siblings end up in their order.
  std::vector<Value> finished(tree.size());
  std::size_t top = tree.size();
  for (std::size_t node = tree.size(); node-- > 0;) {
    const Symbol symbol = tree.preorder()[node];
    const std::size_t rank = tree.alphabet().rank(symbol);
    Value result = value(symbol, std::span<const Value>{finished}.subspan(top, rank));
    for (std::size_t child = top; child < top + rank; ++child) finished[child] = Value();
    top += rank;
    finished[--top] = std::move(result);
  }
  return std::move(finished[top]);
}

// `f(a,g(b))`. Requires names that read_tree can read: no white space, parentheses or commas.
[[nodiscard]] std::string to_text(const Tree& tree);

// Reads a term such as `f(a, g(b))`; `a()` is the same as `a`, and white space does not matter. Symbols are those of
// the alphabet. Throws InputError, saying `file`, for anything else.
[[nodiscard]] Tree read_tree(std::string_view text, const Alphabet& alphabet, std::string_view file = "<term>");
// The same with the alphabet of all symbols that occur, in the order of the text.
[[nodiscard]] Tree read_tree(std::string_view text, std::string_view file = "<term>");

// The same tree over another alphabet; requires that the alphabet has all its symbols.
[[nodiscard]] Tree with_alphabet(const Tree& tree, const Alphabet& alphabet);

}  // namespace lockwood::treeauto
