#pragma once

#include <span>

#include "base/process/stop.hpp"
#include "treeauto/automaton/automaton.hpp"

namespace lockwood::treeauto {

// from → to without reading a symbol: a tree that may be labelled `from` may be labelled `to`.
struct EpsilonTransition {
  State from;
  State to;
  friend auto operator<=>(const EpsilonTransition&, const EpsilonTransition&) = default;
};

// An automaton with the same states, names and final states whose language is that of `automaton` with the epsilon
// transitions added: every transition to q becomes one to each state that q leads to.
[[nodiscard]] Automaton without_epsilon(const Automaton& automaton, std::span<const EpsilonTransition> epsilon,
                                        StopToken stop = {});

}  // namespace lockwood::treeauto
