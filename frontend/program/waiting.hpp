#pragma once

#include "base/id_vector.hpp"
#include "frontend/program/control.hpp"
#include "frontend/program/program.hpp"

// What waiting does to monitors. A thread that waits for a notification gives its lock up in the middle of the regions
// that hold it, so these are not well-nested any more.
namespace lockwood::program {

// For each region whether its own lock may be waited for inside, also through calls.
[[nodiscard]] IdVector<ProcedureId, IdVector<Region, bool>> regions_that_wait(const Program& program,
                                                                              const Control& control);

// A wait or notify whose lock is not surely held there.
struct UnheldWait {
  ProcedureId procedure;
  Point point;
  bool never_held;  // on no way from main; else on some
};
[[nodiscard]] std::vector<UnheldWait> unheld_waits(const Program& program, const Control& control);

}  // namespace lockwood::program
