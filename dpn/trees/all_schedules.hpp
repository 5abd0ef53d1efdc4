#pragma once

#include <vector>

#include "dpn/trees/schedule.hpp"

namespace lockwood::dpn {

// All schedules of the tree in which the moves of a phase precede those of the next, in lexicographic order of their
// moves. By trying all interleavings with the small-step semantics: for small trees, and as the judge of schedule_of.
// Requires a valid tree.
[[nodiscard]] std::vector<Schedule> all_schedules(const Network& network, const ExecutionTree& tree,
                                                  Semantics semantics);

// Whether there is any, by the same search, but from each set of nodes done only once.
[[nodiscard]] bool schedule_exists(const Network& network, const ExecutionTree& tree, Semantics semantics);

}  // namespace lockwood::dpn
