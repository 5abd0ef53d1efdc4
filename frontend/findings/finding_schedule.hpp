#pragma once

#include <optional>

#include "dpn/schedule.hpp"
#include "frontend/findings/def_use.hpp"
#include "frontend/findings/finding.hpp"
#include "frontend/findings/source_terms.hpp"

namespace lockwood::findings {

// Adds the schedule that shows the finding: its steps, where all threads are at its end, and whether the program can
// follow it with its real values.
void add_schedule(Finding& finding, const SourceTerms& terms, const dpn::Schedule& schedule);

// The same for a value that is written in the second phase of the schedule and can be read at its end, by the thread
// that has written it or not. The first site of the finding learns who writes it and when, the last who is there to
// read it.
void add_value_schedule(Finding& finding, const SourceTerms& terms, const dpn::Schedule& schedule,
                        const program::Access& definition, const program::Access& use, std::optional<Reader> reader);

}  // namespace lockwood::findings
