#include "tests/oracle/treeauto/growing_automata.hpp"

#include <utility>
#include <vector>

#include "treeauto/automaton/automaton_builder.hpp"

namespace lockwood::treeauto {

Automaton growing_chain(std::size_t states, const std::string& successor, Finals finals) {
  AutomatonBuilder builder;
  State state = builder.add_state();
  builder.add(builder.symbol("z", 0), {}, state);
  builder.set_final(state, finals == Finals::All);
  for (std::size_t i = 1; i < states; ++i) {
    const State next = builder.add_state();
    builder.add(builder.symbol(successor, 1), {state}, next);
    builder.set_final(next, finals == Finals::All);
    state = next;
  }
  builder.set_final(state);
  return std::move(builder).build();
}

Automaton growing_fan(std::size_t width, SharedChild shared) {
  AutomatonBuilder builder;
  const State q = builder.add_state();
  const State r = builder.add_state();
  builder.set_final(r);
  if (shared == SharedChild::BeforeOthers) builder.add(builder.symbol("a", 0), {}, q);
  std::vector<State> leaves;
  for (std::size_t i = 0; i < width; ++i) {
    leaves.push_back(builder.add_state());
    builder.add(builder.symbol("c" + std::to_string(i), 0), {}, leaves.back());
  }
  if (shared == SharedChild::AfterOthers) builder.add(builder.symbol("a", 0), {}, q);
  for (State leaf : leaves) builder.add(builder.symbol("f", 3), {q, q, leaf}, r);
  return std::move(builder).build();
}

}  // namespace lockwood::treeauto
