#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treeauto/automaton/automaton.hpp"
#include "treeauto/automaton/place_index.hpp"

namespace lockwood::treeauto {

// Steps of the subset construction, one at a time: the states that f(t₁, …, tₙ) reaches, given those that t₁, …, tₙ
// do. Keeps scratch tables, so one object belongs to one thread.
class SubsetStep {
 public:
  explicit SubsetStep(Automaton automaton);
  [[nodiscard]] const Automaton& automaton() const { return automaton_; }

  // The targets of all transitions of the symbol with each child in the set at its position, sorted. Looks at the
  // occurrences of one of the sets only, the one where they are fewest. The result is valid until the next call.
  [[nodiscard]] std::span<const State> targets(Symbol symbol, std::span<const std::span<const State>> children);

 private:
  void collect(State target);

  Automaton automaton_;
  PlaceIndex index_;
  std::uint64_t round_ = 0;
  std::vector<std::vector<std::uint64_t>> member_;  // by position and state: the round in which it is in that set
  IdVector<State, std::uint64_t> collected_;        // the round in which it was found
  std::vector<State> targets_;
};

}  // namespace lockwood::treeauto
