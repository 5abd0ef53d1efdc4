#pragma once

#include <optional>

#include "base/process/stop.hpp"
#include "dpn/trees/schedule.hpp"
#include "frontend/program/lowering/lowering.hpp"

namespace lockwood::findings {

// The first step of the schedule that the program with its real values would not do. The same as below; none if it can
// follow to the end.
[[nodiscard]] std::optional<program::RuleOrigin> obstacle(const program::Program& program,
                                                          const program::Lowered& lowered,
                                                          const dpn::Schedule& schedule, StopToken stop = {});

// Whether the program can follow the schedule of its model with its real values: it is executed step by step, and every
// branch, division and assertion must go where the schedule goes; locks must be free, also those that the model does
// not know. Nobody is waited for: a schedule with a wait is not followed. True is certain; if false, there may be
// another schedule to the same end. Throws Interrupted if asked to stop.
[[nodiscard]] bool can_execute(const program::Program& program, const program::Lowered& lowered,
                               const dpn::Schedule& schedule, StopToken stop = {});

}  // namespace lockwood::findings
