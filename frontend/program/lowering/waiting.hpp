#pragma once

#include <optional>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "frontend/program/ir/control.hpp"
#include "frontend/program/ir/program.hpp"

// What waiting does to monitors. A thread that waits for a notification gives its lock up in the middle of the regions
// that hold it, and takes it again. Where the wait is in the innermost region itself, that is the same as leaving
// the region and coming back to the point after the wait. Where there is a call or another region in between, regions
// are not well-nested any more.
namespace lockwood::program {

// The region that a wait leaves and comes back to: the innermost one of its point, if that is of the wait's lock.
[[nodiscard]] std::optional<Region> region_left_by_wait(const Procedure& procedure, Point point);

// For each region whether its own lock may be waited for in a call or in another region inside.
[[nodiscard]] IdVector<ProcedureId, IdVector<Region, bool>> regions_around_waits(const Program& program,
                                                                                 const Control& control);

// A wait or notify whose lock is not surely held there.
struct UnheldWait {
  ProcedureId procedure;
  Point point;
  bool never_held;  // on no way from main; else on some
};
[[nodiscard]] std::vector<UnheldWait> unheld_waits(const Program& program, const Control& control);

}  // namespace lockwood::program
