#pragma once

#include <optional>

#include "base/process/stop.hpp"
#include "frontend/program/interpreter/parallel_oracle.hpp"
#include "frontend/program/lowering/lowering.hpp"

namespace lockwood::findings {

// Before which sites with reads, writes and actions on locks two threads can be at the same time, by one run of the
// engine. None if there are too many places for it (the answer takes the square of their number), or it was stopped.
[[nodiscard]] std::optional<program::ParallelTable> parallel_sites(const program::Program& program,
                                                                   const program::Lowered& lowered,
                                                                   std::size_t max_places = 500, StopToken stop = {});

}  // namespace lockwood::findings
