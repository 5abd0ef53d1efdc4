#pragma once

#include <utility>

#include "base/ids/id_vector.hpp"
#include "base/process/stop.hpp"
#include "treeauto/automaton/automaton.hpp"

namespace lockwood::treeauto {

// A product and the pairs its states stand for.
struct Product {
  Automaton automaton;
  IdVector<State, std::pair<State, State>> pairs;
};

// Accepts what both accept. Symbols are those of both, matched by name and rank. The result is trimmed: a pair is a
// state only if it takes part in the acceptance of some tree; pairs are numbered in the order in which they are found
// from the root down. Time is about linear in the part of the product that can be reached from the leaves up, or in
// that from the root down, whichever is less: pairs of transitions are looked for by joins on pairs of children that
// are reached, not among all pairs.
[[nodiscard]] Product product(const Automaton& first, const Automaton& second, StopToken stop = {});
[[nodiscard]] Automaton intersection(const Automaton& first, const Automaton& second, StopToken stop = {});

}  // namespace lockwood::treeauto
