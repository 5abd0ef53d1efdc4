#include "treeauto/operations/union.hpp"

#include <algorithm>
#include <vector>

#include "treeauto/automaton/automaton_builder.hpp"

namespace lockwood::treeauto {
namespace {

bool names_are_disjoint(const Automaton& first, const Automaton& second) {
  if (!first.has_state_names() || !second.has_state_names()) return false;
  NameTable names;
  for (State state : first.states()) names.intern(first.state_name(state));
  return std::ranges::none_of(second.states(),
                              [&](State state) { return names.find(second.state_name(state)).has_value(); });
}

}  // namespace

Automaton union_of(const Automaton& first, const Automaton& second) {
  const JoinedAlphabet both = joined(first.alphabet(), second.alphabet());
  AutomatonBuilder builder{both.alphabet};
  builder.reserve(first.transition_count() + second.transition_count(), total_size(first) + total_size(second));
  if (names_are_disjoint(first, second)) {
    builder.add_states_of(first);
    builder.add_states_of(second);
  } else {
    for (State state : first.states()) builder.set_final(builder.add_state(), first.is_final(state));
    for (State state : second.states()) builder.set_final(builder.add_state(), second.is_final(state));
  }
  for (TransitionId id : first.transitions()) builder.add(first.symbol(id), first.children(id), first.target(id));
  const auto moved = [&](State state) { return State{first.state_count() + state.index()}; };
  std::vector<State> children;
  for (TransitionId id : second.transitions()) {
    children.clear();
    std::ranges::transform(second.children(id), std::back_inserter(children), moved);
    builder.add(both.from_second[second.symbol(id)], children, moved(second.target(id)));
  }
  return std::move(builder).build();
}

}  // namespace lockwood::treeauto
