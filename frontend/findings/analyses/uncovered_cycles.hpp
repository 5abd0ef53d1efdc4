#pragma once

#include <vector>

#include "base/process/stop.hpp"
#include "frontend/program/lowering/lowering.hpp"
#include "solver/analyses/deadlock.hpp"

namespace lockwood::findings {

// The model may look at two of many locks of one kind. Threads may wait for each other with more of them: these locks
// are in the order of the program in cycles that need more locks of one kind than there are in the model, and no
// deadlock was found with them. Ascending. Throws Interrupted.
[[nodiscard]] std::vector<dpn::Lock> uncovered_locks(const program::Program& program, const dpn::Network& network,
                                                     const solver::Deadlocks& found, StopToken stop = {});

}  // namespace lockwood::findings
