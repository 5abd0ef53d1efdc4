#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/process/stop.hpp"
#include "frontend/java/lowering/value_ends.hpp"
#include "frontend/program/ir/program.hpp"

namespace lockwood::java {

// Marks that people take for one end of flows: those of one row in one line.
struct EndGroup {
  std::size_t row;
  ValueRole role;
  program::SourceRange range;  // of the first mark
  std::vector<std::uint32_t> marks;
};
[[nodiscard]] std::vector<EndGroup> end_groups(const std::vector<ValueMark>& marks);

// Which values can get where if nobody minds the order of what is done: from groups of sources to groups of sinks. By
// numbers of groups.
using SuspectedFlows = std::vector<std::pair<std::size_t, std::size_t>>;
[[nodiscard]] SuspectedFlows suspected_flows(const program::Program& program, const std::vector<EndGroup>& groups,
                                             StopToken stop = {});

// Takes out of the program what can be on the way of no value from one of the sources to one of the sinks of the
// flows: reads and sets of locals, and accesses to variables that have no such value. Accesses that overwrite one stay,
// and so does everything else. Points that do nothing are gone. With `all_origins`, whatever may get to a sink stays,
// wherever it comes from. Returns the variables with values that stay.
std::vector<program::Variable> keep_values(program::Program& program, const std::vector<EndGroup>& groups,
                                           const SuspectedFlows& flows, bool all_origins = false);

}  // namespace lockwood::java
