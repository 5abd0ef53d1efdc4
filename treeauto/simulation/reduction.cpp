#include "treeauto/simulation/reduction.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "treeauto/automaton/automaton_builder.hpp"
#include "treeauto/operations/trim.hpp"
#include "treeauto/simulation/bisimulation.hpp"

namespace lockwood::treeauto {
namespace {

// The transitions to keep, and final states.
Automaton filtered(const Automaton& automaton, const IdVector<TransitionId, bool>& keep,
                   const IdVector<State, bool>& final) {
  AutomatonBuilder builder{automaton.alphabet()};
  builder.set_name(automaton.name());
  builder.add_states_of(automaton);
  for (State state : automaton.states()) builder.set_final(state, final[state]);
  for (TransitionId id : automaton.transitions())
    if (keep[id]) builder.add(automaton.symbol(id), automaton.children(id), automaton.target(id));
  return std::move(builder).build();
}

// Marks the items for which another one is above: of items above each other only the first is kept. As the order is
// transitive, each item left out has one above it that is kept.
template <class Item, class Above>
std::vector<Item> maximal(std::span<const Item> items, StopToken stop, Above&& above) {
  std::vector<Item> kept;
  for (const Item& item : items) {
    stop.check();
    if (std::ranges::any_of(kept, [&](const Item& other) { return above(other, item); })) continue;
    std::erase_if(kept, [&](const Item& other) { return above(item, other); });
    kept.push_back(item);
  }
  return kept;
}

IdVector<State, bool> final_states(const Automaton& automaton) {
  IdVector<State, bool> final(automaton.state_count());
  for (State state : automaton.final_states()) final[state] = true;
  return final;
}

}  // namespace

Automaton quotient(const Automaton& automaton, const StatePreorder& preorder) {
  return quotient(automaton, preorder.classes_of_states());
}

Automaton pruned_downwards(const Automaton& automaton, const StatePreorder& downward, StopToken stop) {
  IdVector<TransitionId, bool> keep(automaton.transition_count());
  const auto above = [&](TransitionId upper, TransitionId lower) {
    return std::ranges::equal(automaton.children(lower), automaton.children(upper),
                              [&](State low, State high) { return downward.holds(low, high); });
  };
  for (State target : automaton.states()) {
    const auto all = automaton.transitions_to(target);
    for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
      while (end < all.size() && automaton.symbol(all[end]) == automaton.symbol(all[begin])) ++end;
      for (TransitionId id : maximal(all.subspan(begin, end - begin), stop, above)) keep[id] = true;
    }
  }
  IdVector<State, bool> final(automaton.state_count());
  for (State state :
       maximal(automaton.final_states(), stop, [&](State high, State low) { return downward.holds(low, high); }))
    final[state] = true;
  return filtered(automaton, keep, final);
}

Automaton pruned_upwards(const Automaton& automaton, const StatePreorder& upward, StopToken stop) {
  IdVector<TransitionId, bool> keep(automaton.transition_count());
  const auto above = [&](TransitionId upper, TransitionId lower) {
    return upward.holds(automaton.target(lower), automaton.target(upper));
  };
  std::vector<TransitionId> same_left_side;  // transitions with the same symbol and children follow one another
  const auto flush = [&] {
    for (TransitionId id : maximal(std::span<const TransitionId>{same_left_side}, stop, above)) keep[id] = true;
    same_left_side.clear();
  };
  for (TransitionId id : automaton.transitions()) {
    if (!same_left_side.empty() && (automaton.symbol(id) != automaton.symbol(same_left_side[0]) ||
                                    !std::ranges::equal(automaton.children(id), automaton.children(same_left_side[0]))))
      flush();
    same_left_side.push_back(id);
  }
  flush();
  return filtered(automaton, keep, final_states(automaton));
}

Automaton reduced(const Automaton& automaton, ReductionOptions options, StopToken stop) {
  Automaton result = trimmed(automaton);
  // Simulations would merge bisimilar states as well, but these are found in time n log n and with little memory.
  if (options.downward) result = quotient(result, backward_bisimulation(result, stop));
  if (options.upward) result = quotient(result, forward_bisimulation(result, stop));
  while (true) {
    const std::size_t states = result.state_count();
    const std::size_t transitions = result.transition_count();
    if (options.downward) {
      const StatePreorder downward = downward_simulation(result, stop);
      // A simulation stays one when equivalent states are made one, but it would have to be renumbered; pruning before
      // that comes to the same, as it keeps the first of equivalent transitions.
      if (options.prune) {
        result = quotient(pruned_downwards(result, downward, stop), downward);
      } else {
        result = quotient(result, downward);
      }
      result = trimmed(result);
    }
    if (options.upward) {
      const StatePreorder upward = upward_simulation(result, stop);
      if (options.prune) result = pruned_upwards(result, upward, stop);
      result = trimmed(quotient(result, upward));
    }
    if (result.state_count() == states && result.transition_count() == transitions) return result;
  }
}

}  // namespace lockwood::treeauto
