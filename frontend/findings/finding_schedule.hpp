#pragma once

#include "dpn/schedule.hpp"
#include "frontend/findings/finding.hpp"
#include "frontend/findings/source_terms.hpp"

namespace lockwood::findings {

// Adds the schedule that shows the finding: its steps, where all threads are at its end, and whether the program can
// follow it with its real values.
void add_schedule(Finding& finding, const SourceTerms& terms, const dpn::Schedule& schedule);

}  // namespace lockwood::findings
