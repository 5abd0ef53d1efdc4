#pragma once

#include "frontend/program/ir/program.hpp"

namespace lockwood::program {

// Copies of one method that do the same, also in what they call, become one procedure. Nothing else changes: which
// threads and accesses there are at the same time does not depend on it.
void merge_copies(Program& program);

}  // namespace lockwood::program
