#pragma once

#include <functional>

#include "solver/analyses/mhp.hpp"

namespace lockwood::solver {

// The pairs of a run that respects only these locks: all that can happen, and perhaps more.
using PossiblePairs = std::function<MhpAnswer(const LockFlags& respected)>;

// Locks on demand, for all pairs at once (docs/theory.md, Sect. 5.2). Without any locks, one run finds all pairs that
// can happen, and more. For those of one place, one more run gives trees. Most of these have schedules with all locks,
// and each schedule shows many pairs on its way. A pair that is left is asked for by itself: either it has a schedule,
// or a few locks exclude it. One run that respects these few excludes all pairs that they exclude. No run respects
// locks together of which each excludes other pairs, so sets of held locks do not multiply. If it is stopped, the pairs
// are those that were shown.
[[nodiscard]] MhpAnswer pairs_on_demand(const dpn::Network& network, const MhpOptions& options,
                                        const PossiblePairs& possible_pairs);

}  // namespace lockwood::solver
