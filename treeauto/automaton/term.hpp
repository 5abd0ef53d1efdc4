#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/ids/id.hpp"
#include "treeauto/automaton/alphabet.hpp"

namespace lockwood::treeauto {

// x₀, x₁, …: the places of a term where trees are put in.
using Variable = Id<struct VariableTag>;

// A tree with variables at some of its leaves, as the sequence of its nodes in preorder, like Tree. The alphabet is
// said by whoever holds the term.
class Term {
 public:
  using Node = std::variant<Symbol, Variable>;

  // Requires that the nodes are exactly one term, given the ranks of the alphabet that is meant.
  explicit Term(std::vector<Node> preorder) : nodes_{std::move(preorder)} {}
  [[nodiscard]] static Term variable(std::size_t number) { return Term{{Variable{number}}}; }
  // symbol(children)
  [[nodiscard]] static Term node(Symbol symbol, std::initializer_list<Term> children = {});
  // symbol(x₀, …, x₍rank₋₁₎): what copies a node.
  [[nodiscard]] static Term copy(Symbol symbol, std::size_t rank);

  [[nodiscard]] std::span<const Node> nodes() const { return nodes_; }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  friend bool operator==(const Term&, const Term&) = default;

 private:
  std::vector<Node> nodes_;
};

// Whether this is one term over the alphabet, with variables x₀, …, x₍variables₋₁₎ only.
[[nodiscard]] bool is_term(const Alphabet& alphabet, const Term& term, std::size_t variables);

// How often each of the variables x₀, …, x₍variables₋₁₎ occurs.
[[nodiscard]] std::vector<std::size_t> variable_counts(const Term& term, std::size_t variables);
// No variable occurs twice.
[[nodiscard]] bool is_linear(const Term& term);

// Evaluates a term bottom-up: `node(symbol, values of the children)` at each symbol, values[i] at each xᵢ. Returns the
// value of the root. Values are small: they are copied.
template <class Value, class Function>
[[nodiscard]] Value evaluated(const Term& term, const Alphabet& alphabet, std::span<const Value> values,
                              Function&& node) {
  // The values of finished subterms, the last one being that of the leftmost subterm; as they are needed in the other
  // order, siblings are turned round before each call.
  std::vector<Value> finished;
  std::vector<Value> children;
  for (std::size_t i = term.size(); i-- > 0;) {
    if (const Variable* variable = std::get_if<Variable>(&term.nodes()[i])) {
      finished.push_back(values[variable->index()]);
      continue;
    }
    const Symbol symbol = std::get<Symbol>(term.nodes()[i]);
    const std::size_t rank = alphabet.rank(symbol);
    children.assign(finished.rbegin(), finished.rbegin() + static_cast<std::ptrdiff_t>(rank));
    finished.erase(finished.end() - static_cast<std::ptrdiff_t>(rank), finished.end());
    finished.push_back(node(symbol, std::span<const Value>{children}));
  }
  return finished.back();
}

// `f(x0,g(a))`.
[[nodiscard]] std::string to_text(const Term& term, const Alphabet& alphabet);

}  // namespace lockwood::treeauto
