#include "treeauto/operations/completion.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include "treeauto/automaton/automaton_builder.hpp"
#include "treeauto/automaton/tuples.hpp"

namespace lockwood::treeauto {
namespace {

// Whether the transition has the same symbol and children as the one before it.
bool repeats_left_side(const Automaton& automaton, TransitionId id) {
  if (id.index() == 0) return false;
  const TransitionId before{id.index() - 1};
  return automaton.symbol(before) == automaton.symbol(id) &&
         std::ranges::equal(automaton.children(before), automaton.children(id));
}

}  // namespace

bool is_deterministic(const Automaton& automaton) {
  return std::ranges::none_of(automaton.transitions(),
                              [&](TransitionId id) { return repeats_left_side(automaton, id); });
}

bool is_complete(const Automaton& automaton) {
  for (Symbol symbol : automaton.alphabet().symbols()) {
    std::size_t tuples = 0;
    for (TransitionId id : automaton.transitions_of(symbol)) tuples += repeats_left_side(automaton, id) ? 0U : 1U;
    const double wanted =
        std::pow(static_cast<double>(automaton.state_count()), static_cast<double>(automaton.alphabet().rank(symbol)));
    if (static_cast<double>(tuples) < wanted) return false;
  }
  return true;
}

Automaton completed(const Automaton& automaton, StopToken stop) {
  if (is_complete(automaton)) return automaton;
  AutomatonBuilder builder{automaton.alphabet()};
  builder.set_name(automaton.name());
  builder.add_states_of(automaton);
  const State sink = builder.add_state();
  std::vector<State> all;
  for (State state : IdRange<State>{builder.state_count()}) all.push_back(state);
  for (Symbol symbol : automaton.alphabet().symbols()) {
    // Tuples come in the order of the transitions, so one walk along both finds what is missing.
    const auto transitions = automaton.transitions_of(symbol);
    auto next = transitions.begin();
    const std::vector<std::span<const State>> choices(automaton.alphabet().rank(symbol), all);
    each_tuple<State>(choices, [&](std::span<const State> tuple) {
      stop.check();
      bool found = false;
      for (; next != transitions.end() && std::ranges::equal(automaton.children(*next), tuple); ++next) {
        builder.add(symbol, tuple, automaton.target(*next));
        found = true;
      }
      if (!found) builder.add(symbol, tuple, sink);
    });
    assert(next == transitions.end());  // the walk has met them all
  }
  return std::move(builder).build();
}

}  // namespace lockwood::treeauto
