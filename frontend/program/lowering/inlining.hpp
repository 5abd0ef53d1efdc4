#pragma once

#include "frontend/program/ir/program.hpp"

namespace lockwood::program {

// A wait that stands directly in the region of its lock leaves the region and comes back, exactly. So procedures that
// wait for a lock in no region of their own are written into callers that call them directly in a region of that lock:
// neither recursive nor long ones, nor such as can be waited for in a join.
void inline_waits(Program& program);

}  // namespace lockwood::program
