#pragma once

#include "dpn/schedule.hpp"
#include "frontend/findings/chain.hpp"
#include "frontend/program/lowering.hpp"

namespace lockwood::findings {

// Whether a value that the labelled statement makes gets to the sink when the schedule is followed: locals, arguments,
// results and variables are followed step by step. If false, another schedule may do it.
[[nodiscard]] bool carries_value(const program::Program& program, const program::Lowered& lowered,
                                 const program::LoweredLabel& from, const Sink& sink, const dpn::Schedule& schedule);

}  // namespace lockwood::findings
