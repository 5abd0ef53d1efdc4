#pragma once

#include <vector>

#include "base/ids/id_vector.hpp"
#include "frontend/program/ir/control.hpp"
#include "frontend/program/ir/program.hpp"
#include "frontend/program/lowering/lowering.hpp"

// What the lowering must know of a program before it begins.
namespace lockwood::program {

struct RegionPlan {
  bool monitor = true;        // its lock is one of the model: waits that stand in it leave it and come back
  bool falls_through = true;  // its only exit, with no bool to carry out: the return point is the exit itself
};

struct ProcedurePlan {
  IdVector<Local, bool> tracked;             // the bools that the model knows
  IdVector<Point, std::vector<Local>> live;  // those of interest at a point
  IdVector<Region, RegionPlan> regions;
  bool plain = true;  // has no outcome but a plain return: the return point is where the caller goes on
  IdVector<Point, std::uint32_t> on_line;  // the how manieth point of its line, from 0
  IdVector<Group, bool> joined;            // groups that some join waits for: the others need no members
  bool in_finish = false;                  // may be called inside a finish region
};

// Whether a thread at the point may be in a finish region, of this procedure or of a caller.
[[nodiscard]] bool may_be_in_finish(const Procedure& procedure, const ProcedurePlan& plan, Point point);

// Throws InputError: an abstracted bool that does not exist.
[[nodiscard]] IdVector<ProcedureId, ProcedurePlan> plan_lowering(const Program& program, const Control& control,
                                                                 const LoweringOptions& options);

}  // namespace lockwood::program
