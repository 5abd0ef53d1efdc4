#include "treeauto/automaton/term.hpp"

#include <algorithm>
#include <cassert>

namespace lockwood::treeauto {

Term Term::node(Symbol symbol, std::initializer_list<Term> children) {
  std::vector<Node> nodes{symbol};
  for (const Term& child : children) nodes.insert(nodes.end(), child.nodes_.begin(), child.nodes_.end());
  return Term{std::move(nodes)};
}

Term Term::copy(Symbol symbol, std::size_t rank) {
  std::vector<Node> nodes{symbol};
  for (std::size_t i = 0; i < rank; ++i) nodes.emplace_back(Variable{i});
  return Term{std::move(nodes)};
}

bool is_term(const Alphabet& alphabet, const Term& term, std::size_t variables) {
  std::size_t missing = 1;  // subterms still to come
  for (const Term::Node& node : term.nodes()) {
    if (missing == 0) return false;
    --missing;
    if (const Symbol* symbol = std::get_if<Symbol>(&node)) {
      if (symbol->index() >= alphabet.size()) return false;
      missing += alphabet.rank(*symbol);
    } else if (std::get<Variable>(node).index() >= variables) {
      return false;
    }
  }
  return missing == 0;
}

std::vector<std::size_t> variable_counts(const Term& term, std::size_t variables) {
  std::vector<std::size_t> counts(variables);
  for (const Term::Node& node : term.nodes())
    if (const Variable* variable = std::get_if<Variable>(&node)) {
      assert(variable->index() < variables);
      ++counts[variable->index()];
    }
  return counts;
}

bool is_linear(const Term& term) {
  std::vector<Variable> found;
  for (const Term::Node& node : term.nodes())
    if (const Variable* variable = std::get_if<Variable>(&node)) found.push_back(*variable);
  std::ranges::sort(found);
  return std::ranges::adjacent_find(found) == found.end();
}

std::string to_text(const Term& term, const Alphabet& alphabet) {
  std::string text;
  std::vector<std::size_t> open;  // for each open parenthesis, how many children are still to come
  for (const Term::Node& node : term.nodes()) {
    if (const Symbol* symbol = std::get_if<Symbol>(&node)) {
      text += alphabet.name(*symbol);
      if (const std::size_t rank = alphabet.rank(*symbol); rank > 0) {
        text += '(';
        open.push_back(rank);
        continue;
      }
    } else {
      text += 'x' + std::to_string(std::get<Variable>(node).index());
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

}  // namespace lockwood::treeauto
