#include "treeauto/operations/universal.hpp"

#include <vector>

#include "treeauto/automaton/automaton_builder.hpp"

namespace lockwood::treeauto {

Automaton universal_automaton(const Alphabet& alphabet) {
  AutomatonBuilder builder{alphabet};
  const State all = builder.add_state();
  builder.set_final(all);
  for (Symbol symbol : alphabet.symbols()) builder.add(symbol, std::vector<State>(alphabet.rank(symbol), all), all);
  return std::move(builder).build();
}

}  // namespace lockwood::treeauto
