#pragma once

#include "base/process/stop.hpp"
#include "frontend/program/ir/program.hpp"

namespace lockwood::java {

// Makes values go where they decide what is done: what is set, written, passed, returned or marked as a sink behind a
// branch, as far as the branch decides whether it is done, is then made of what the branch looks at, too. A callee is
// told by its first parameter, which must be free for that in all procedures but the main one; whether it has thrown an
// exception is told by a variable, which stands for all reasons of all exceptions.
void add_control(program::Program& program, StopToken stop = {});

}  // namespace lockwood::java
