#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "treeauto/automaton/alphabet.hpp"
#include "treeauto/automaton/tree.hpp"

namespace lockwood::treeauto {

// Adds sizes of trees: whatever does not fit is the highest number.
[[nodiscard]] constexpr std::uint64_t saturating_sum(std::uint64_t a, std::uint64_t b) {
  return a > std::numeric_limits<std::uint64_t>::max() - b ? std::numeric_limits<std::uint64_t>::max() : a + b;
}

// A tree whose equal subtrees may be stored once. The smallest tree of an automaton with n states can have 2ⁿ nodes,
// but as a shared tree never more than n. Invariant: children come before their parents, the root is last.
class SharedTree {
 public:
  explicit SharedTree(Alphabet alphabet) : alphabet_{std::move(alphabet)} {}

  // Adds a node above nodes that are already there, and returns its number. Requires as many as the rank says.
  std::uint32_t add(Symbol symbol, std::span<const std::uint32_t> children) {
    assert(children.size() == alphabet_.rank(symbol));
    for ([[maybe_unused]] std::uint32_t child : children) assert(child < symbols_.size());
    symbols_.push_back(symbol);
    children_.insert(children_.end(), children.begin(), children.end());
    child_ends_.push_back(children_.size());
    return static_cast<std::uint32_t>(symbols_.size() - 1);
  }

  [[nodiscard]] const Alphabet& alphabet() const { return alphabet_; }
  [[nodiscard]] std::size_t stored_nodes() const { return symbols_.size(); }
  [[nodiscard]] std::uint32_t root() const {
    assert(!symbols_.empty());
    return static_cast<std::uint32_t>(symbols_.size() - 1);
  }
  [[nodiscard]] Symbol symbol(std::uint32_t node) const { return symbols_[node]; }
  [[nodiscard]] std::span<const std::uint32_t> children(std::uint32_t node) const {
    const std::size_t begin = node == 0 ? 0 : child_ends_[node - 1];
    return std::span{children_}.subspan(begin, child_ends_[node] - begin);
  }

 private:
  Alphabet alphabet_;
  std::vector<Symbol> symbols_;
  std::vector<std::uint32_t> children_;
  std::vector<std::size_t> child_ends_;
};

// The tree below a node of some other structure whose nodes are numbered so that children come before their parents:
// symbol_of(node), and each_child(node, sink) calls sink(child) for each from left to right. Only what is needed of
// it.
template <class SymbolOf, class EachChild>
[[nodiscard]] SharedTree tree_below(const Alphabet& alphabet, std::size_t root, SymbolOf&& symbol_of,
                                    EachChild&& each_child) {
  std::vector<bool> needed(root + 1);
  needed[root] = true;
  for (std::size_t node = root + 1; node-- > 0;)
    if (needed[node])
      each_child(node, [&](std::size_t child) {
        assert(child < node);  // so that one pass downwards meets all
        needed[child] = true;
      });
  SharedTree tree{alphabet};
  std::vector<std::uint32_t> place(root + 1);
  std::vector<std::uint32_t> children;
  for (std::size_t node = 0; node <= root; ++node) {
    if (!needed[node]) continue;
    children.clear();
    each_child(node, [&](std::size_t child) { children.push_back(place[child]); });
    place[node] = tree.add(symbol_of(node), children);
  }
  return tree;
}

// Number of nodes of the tree, each counted as often as it occurs; saturating.
[[nodiscard]] std::uint64_t tree_size(const SharedTree& shared);

// A saturating size as people read it: "7", or "at least 18446744073709551615" where it may be more than that.
[[nodiscard]] std::string size_as_text(std::uint64_t size);

// A tree has more nodes than the caller is willing to write down.
class TreeTooLarge : public std::length_error {
 public:
  explicit TreeTooLarge(std::uint64_t size);
  [[nodiscard]] std::uint64_t size() const { return size_; }  // saturating

 private:
  std::uint64_t size_;
};

constexpr std::uint64_t unfolding_limit = 100'000'000;

// The tree written out. Throws TreeTooLarge if it has more than `limit` nodes.
[[nodiscard]] Tree unfolded(const SharedTree& shared, std::uint64_t limit = unfolding_limit);

}  // namespace lockwood::treeauto
