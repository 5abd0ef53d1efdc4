#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "base/process/stop.hpp"
#include "dpn/semantics/small_step.hpp"
#include "dpn/trees/execution_tree.hpp"

namespace lockwood::dpn {

// An interleaving from the initial configuration, threads numbered in the order of their creation as `apply` does.
struct Schedule {
  std::vector<Move> moves;
  std::vector<std::size_t> cuts;  // phase k ends after the first cuts[k] moves; the last phase at the end of the moves
  friend bool operator==(const Schedule&, const Schedule&) = default;
};

// A schedule of the tree in which all moves of a phase precede those of the next, or nothing iff there is none. Lock-
// insensitively there always is one. It switches between threads rarely: a thread runs on until it cannot.
// Takes time and memory linear in the tree (with joins: schedule_with_joins.hpp). Requires a valid tree (see
// tree_validity.hpp). Throws Interrupted if asked to stop.
[[nodiscard]] std::optional<Schedule> schedule_of(const Network& network, const ExecutionTree& tree,
                                                  Semantics semantics, StopToken stop = {});

}  // namespace lockwood::dpn
