#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "solver/analyses/dataflow.hpp"
#include "solver/locks/group_structure.hpp"
#include "solver/query/query_problem.hpp"

namespace lockwood::solver {

// What facts of one group have in common: the problem whose places answer all of them, once it is known which action
// was done. Each execution can be cut at the last of all generating actions, so that none comes after it: then all
// facts avoid the same actions, and differ only in which one was done.
struct FlowGroup {
  std::vector<dpn::Action> concerned;   // generating or killing, ascending
  std::vector<dpn::Action> generating;  // ascending; of several facts, those that the problem tells apart
  Problem problem;
  std::optional<PhaseIndex> distinguished;  // if there are several facts

  // What is told apart: the generating actions, or only that there was one.
  [[nodiscard]] std::size_t target_count() const {
    return distinguished ? generating.size() : std::size_t{!generating.empty()};
  }
};

// Requires facts of one group.
[[nodiscard]] FlowGroup flow_group(const dpn::Network& network, const std::vector<FlowFact>& group,
                                   dpn::Semantics semantics);

}  // namespace lockwood::solver
