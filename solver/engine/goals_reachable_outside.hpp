#pragma once

#include <cstdint>

#include "base/ids/id_vector.hpp"
#include "dpn/model/network.hpp"
#include "solver/engine/observation.hpp"

namespace lockwood::solver {

// For each stack symbol, the goals that may be met outside of a subtree that begins there: at least those, by a coarse
// look that ignores control states, locks and phases. A fact that lacks any other goal can never become part of an
// answer. Without that knowledge, n goals give up to 2ⁿ facts at a place, one for each set of goals met.
[[nodiscard]] IdVector<dpn::StackSymbol, std::uint64_t> goals_reachable_outside(const dpn::Network& network,
                                                                                const ObservationAlgebra& algebra);

}  // namespace lockwood::solver
