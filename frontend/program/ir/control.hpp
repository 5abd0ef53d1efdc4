#pragma once

#include "base/ids/id_vector.hpp"
#include "frontend/program/ir/program.hpp"

namespace lockwood::program {

// Where control can get to within each procedure once it is entered, whatever the values are: a call goes on at its
// handler of a class of exceptions only if the callee may throw these. A procedure may throw if control can get to a
// Raise of it.
struct Control {
  IdVector<ProcedureId, IdVector<Point, bool>> reachable;
  IdVector<ProcedureId, std::vector<ExceptionClass>> thrown;  // sorted

  [[nodiscard]] bool may_throw(ProcedureId procedure) const { return !thrown[procedure].empty(); }
};
[[nodiscard]] Control control_of(const Program& program);

// The procedures that control reaches from main, by calls and spawns at reachable points.
[[nodiscard]] IdVector<ProcedureId, bool> reachable_procedures(const Program& program, const Control& control);

}  // namespace lockwood::program
