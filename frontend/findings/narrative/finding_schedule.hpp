#pragma once

#include <optional>
#include <vector>

#include "base/process/stop.hpp"
#include "dpn/trees/schedule.hpp"
#include "frontend/findings/analyses/def_use.hpp"
#include "frontend/findings/finding.hpp"
#include "frontend/findings/narrative/source_terms.hpp"

namespace lockwood::findings {

// Adds the schedule that shows the finding: its steps, where all threads are at its end, and whether the program can
// follow it with its real values. Throws Interrupted if asked to stop.
void add_schedule(Finding& finding, const SourceTerms& terms, const dpn::Schedule& schedule, StopToken stop = {});

// A value that is written in some phase of a schedule, and can be read at its end.
struct ValueInSchedule {
  const program::Access& definition;
  std::size_t defining_phase;             // from 0
  std::vector<dpn::StackSymbol> readers;  // a thread that reads it is before one of these
  std::optional<Reader> reader;           // if it matters: the thread that has written it, or another
};

// The same for such a value. The first site of the finding learns who writes it and when, the last who is there to read
// it.
void add_value_schedule(Finding& finding, const SourceTerms& terms, const dpn::Schedule& schedule,
                        const ValueInSchedule& value);

}  // namespace lockwood::findings
