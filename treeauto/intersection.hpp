#pragma once

#include <utility>

#include "base/id_vector.hpp"
#include "base/stop.hpp"
#include "treeauto/automaton.hpp"

namespace lockwood::treeauto {

// A product and the pairs its states stand for.
struct Product {
  Automaton automaton;
  IdVector<State, std::pair<State, State>> pairs;
};

// Accepts what both accept. Only pairs that some tree reaches become states, numbered in the order in which they are
// found; symbols are those of both, matched by name and rank. Time is linear in the pairs of transitions that agree in
// symbol and, at some place, in a reachable pair of children.
[[nodiscard]] Product product(const Automaton& first, const Automaton& second, StopToken stop = {});
[[nodiscard]] Automaton intersection(const Automaton& first, const Automaton& second, StopToken stop = {});

}  // namespace lockwood::treeauto
