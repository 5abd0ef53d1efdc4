#include "treeauto/operations/homomorphism.hpp"

#include <cassert>
#include <vector>

#include "treeauto/automaton/automaton_builder.hpp"
#include "treeauto/operations/epsilon.hpp"
#include "treeauto/operations/image.hpp"
#include "treeauto/operations/inverse_image.hpp"

namespace lockwood::treeauto {

Transducer as_transducer(const Homomorphism& homomorphism) {
  Transducer transducer{homomorphism.input, homomorphism.output};
  const TransducerState only = transducer.add_state(true);
  for (Symbol symbol : homomorphism.input.symbols())
    transducer.add(symbol, std::vector(homomorphism.input.rank(symbol), only), only, homomorphism.terms[symbol]);
  return transducer;
}

Tree image(const Homomorphism& homomorphism, const Tree& tree, std::uint64_t limit) {
  return images(as_transducer(homomorphism), tree, limit).front();
}

Automaton image(const Homomorphism& homomorphism, const Automaton& automaton, StopToken stop) {
  return image(as_transducer(homomorphism), automaton, stop);
}

Automaton inverse_image(const Homomorphism& homomorphism, const Automaton& automaton, StopToken stop) {
  return inverse_image(as_transducer(homomorphism), automaton, stop);
}

Automaton relabelled(const Automaton& automaton, const Alphabet& output,
                     const IdVector<Symbol, std::optional<Symbol>>& symbols) {
  AutomatonBuilder builder{output};
  builder.set_name(automaton.name());
  builder.add_states_of(automaton);
  for (TransitionId id : automaton.transitions())
    if (const auto symbol = symbols[automaton.symbol(id)]) {
      assert(output.rank(*symbol) == automaton.children(id).size());
      builder.add(*symbol, automaton.children(id), automaton.target(id));
    }
  return std::move(builder).build();
}

Automaton without_unary_symbols(const Automaton& automaton, std::span<const Symbol> erased, StopToken stop) {
  const Alphabet& alphabet = automaton.alphabet();
  IdVector<Symbol, bool> is_erased(alphabet.size());
  for (Symbol symbol : erased) {
    assert(alphabet.rank(symbol) == 1);
    is_erased[symbol] = true;
  }
  AlphabetBuilder kept;
  IdVector<Symbol, std::optional<Symbol>> symbols(alphabet.size());
  for (Symbol symbol : alphabet.symbols())
    if (!is_erased[symbol]) symbols[symbol] = kept.add(alphabet.name(symbol), alphabet.rank(symbol));
  std::vector<EpsilonTransition> epsilon;
  for (Symbol symbol : alphabet.symbols())
    if (is_erased[symbol])
      for (TransitionId id : automaton.transitions_of(symbol))
        epsilon.push_back({automaton.children(id)[0], automaton.target(id)});
  return without_epsilon(relabelled(automaton, std::move(kept).build(), symbols), epsilon, stop);
}

}  // namespace lockwood::treeauto
