#pragma once

#include <vector>

#include "frontend/cli/run.hpp"
#include "frontend/report/report.hpp"

namespace lockwood::frontend {

// What the runs of the engine did so far, all together; nothing if nobody asked for it.
[[nodiscard]] std::vector<Property> engine_work(const Run& run);

// Tells on standard error what was done and what it took: to people with -v, and to programs with --stats=json.
void report_work(const Report& report, const Run& run);

// The same for commands that write something else than a report.
void report_work(const Run& run);

}  // namespace lockwood::frontend
