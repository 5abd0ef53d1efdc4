#pragma once

#include <optional>

#include "base/process/stop.hpp"
#include "dpn/trees/schedule.hpp"

namespace lockwood::dpn {

// As schedule_of, for trees in which threads wait for each other. Takes time almost linear in the tree for one phase;
// in each further one, also what the threads that must give a lock back have to do before.
[[nodiscard]] std::optional<Schedule> schedule_with_joins(const Network& network, const ExecutionTree& tree,
                                                          Semantics semantics, StopToken stop);

}  // namespace lockwood::dpn
