#pragma once

#include <cstddef>
#include <optional>

#include "dpn/trees/execution_tree.hpp"
#include "dpn/trees/schedule.hpp"

namespace lockwood::dpn {

// How often a move is made by another thread than the move before it.
[[nodiscard]] std::size_t switches(const Schedule& schedule);

struct FewestSwitches {
  Schedule schedule;
  bool exact = false;  // no schedule of the tree has fewer switches
};

struct SwitchSearchBounds {
  std::size_t states = 100'000;   // to be visited
  std::size_t words = 4'000'000;  // to be remembered: each state takes one for every thread of the tree
};

// A schedule of the tree, as in schedule_of, with as few switches between threads as possible; nothing iff there is
// none. If the bounds do not let us know the fewest, that of schedule_of, which has few. Requires a valid tree.
[[nodiscard]] std::optional<FewestSwitches> fewest_switches(const Network& network, const ExecutionTree& tree,
                                                            Semantics semantics, const SwitchSearchBounds& bounds = {});

}  // namespace lockwood::dpn
