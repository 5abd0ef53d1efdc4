#pragma once

#include <span>
#include <string>

#include "treeauto/automaton/automaton.hpp"

namespace lockwood::treeauto {

// An automaton read from the root down: final states are where it starts, and q → f(q₁, …, qₙ) is a choice at q.

// The transitions to the state with this symbol: what may stand below a node that is labelled q.
[[nodiscard]] std::span<const TransitionId> choices(const Automaton& automaton, State state, Symbol symbol);

// Whether a run from the root down never has a choice: one final state at most, and one transition at most for a state
// and a symbol.
[[nodiscard]] bool is_top_down_deterministic(const Automaton& automaton);

// As a regular tree grammar: a line of start states, then a rule `q -> f(q1, q2)` a line, by state. Names are written
// as they are.
[[nodiscard]] std::string to_grammar(const Automaton& automaton);

}  // namespace lockwood::treeauto
