#include "treeauto/automaton/transducer.hpp"

#include <algorithm>
#include <cassert>

#include "treeauto/automaton/automaton_builder.hpp"

namespace lockwood::treeauto {

TransducerRule Transducer::add(Symbol symbol, std::span<const TransducerState> children, TransducerState target,
                               Term output) {
  assert(children.size() == input_.rank(symbol));
  assert(std::ranges::all_of(children, [&](TransducerState child) { return final_.contains(child); }));
  assert(final_.contains(target));
  assert(is_term(output_, output, children.size()));
  return rules_.push_back({symbol, {children.begin(), children.end()}, target, std::move(output)});
}

bool is_linear(const Transducer& transducer) {
  return std::ranges::all_of(transducer.rules(), [](const Transducer::Rule& rule) { return is_linear(rule.output); });
}

Automaton domain(const Transducer& transducer) {
  AutomatonBuilder builder{transducer.input()};
  for (TransducerState state : transducer.states()) builder.set_final(builder.add_state(), transducer.is_final(state));
  std::vector<State> children;
  for (const Transducer::Rule& rule : transducer.rules()) {
    children.clear();
    for (TransducerState child : rule.children) children.emplace_back(child.index());
    builder.add(rule.symbol, children, State{rule.target.index()});
  }
  return std::move(builder).build();
}

Transducer identity_transducer(const Alphabet& alphabet) {
  Transducer transducer{alphabet, alphabet};
  const TransducerState only = transducer.add_state(true);
  for (Symbol symbol : alphabet.symbols())
    transducer.add(symbol, std::vector(alphabet.rank(symbol), only), only, Term::copy(symbol, alphabet.rank(symbol)));
  return transducer;
}

}  // namespace lockwood::treeauto
