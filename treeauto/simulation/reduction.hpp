#pragma once

#include "base/process/stop.hpp"
#include "treeauto/automaton/automaton.hpp"
#include "treeauto/simulation/simulation.hpp"

namespace lockwood::treeauto {

// Equivalent states made one, which keeps the number order and the name of the first. The language is kept if the
// preorder is a downward simulation, or an upward one induced by the identity [abdulla.08.computing, Sect. 5].
[[nodiscard]] Automaton quotient(const Automaton& automaton, const StatePreorder& preorder);

// Without the transitions f(q₁, …, qₙ) → q for which there is another f(r₁, …, rₙ) → q with qᵢ ≤ rᵢ for all i, and
// with states no longer final that are below another final state. The language is kept: whatever reaches qᵢ reaches
// rᵢ. Requires a downward simulation of the automaton. States stay, useless or not.
[[nodiscard]] Automaton pruned_downwards(const Automaton& automaton, const StatePreorder& downward,
                                         StopToken stop = {});

// Without the transitions f(q₁, …, qₙ) → q for which there is another f(q₁, …, qₙ) → r with q ≤ r. The language is
// kept: every context that accepts with q accepts with r. Requires an upward simulation induced by the identity.
// States stay.
[[nodiscard]] Automaton pruned_upwards(const Automaton& automaton, const StatePreorder& upward, StopToken stop = {});

struct ReductionOptions {
  bool downward = true;
  bool upward = true;
  bool prune = true;  // also leave out transitions that are not needed beside others
};

// An automaton with the same language and at most as many states: useless ones removed, equivalent ones made one and
// transitions pruned until nothing changes [almeida.16.reduction]. Bisimilar states are merged first, in time n log n;
// from then on memory grows with the square of what is left (graph_simulation.hpp).
[[nodiscard]] Automaton reduced(const Automaton& automaton, ReductionOptions options = {}, StopToken stop = {});

}  // namespace lockwood::treeauto
