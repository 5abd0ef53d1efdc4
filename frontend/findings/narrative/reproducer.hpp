#pragma once

#include <string>

#include "dpn/trees/schedule.hpp"
#include "frontend/findings/analyses/races.hpp"
#include "frontend/findings/narrative/source_terms.hpp"

namespace lockwood::findings {

// Whether the two accesses are left as they are, or done under a lock of their own.
enum class Repair { No, Yes };

// A program in C with POSIX threads that follows the schedule, whose end two threads are before the accesses of the
// race, and then does both at the same time. Threads take turns until then, so everything before is ordered; the two
// accesses come after the last turn and are ordered by nothing, which ThreadSanitizer notices. Values are made up. The
// racing lines are marked by #line, so that its report names lines of the original program.
[[nodiscard]] std::string race_reproducer(const SourceTerms& terms, const Conflict& race, const dpn::Schedule& schedule,
                                          Repair repair);

}  // namespace lockwood::findings
