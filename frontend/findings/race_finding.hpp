#pragma once

#include <optional>
#include <string>

#include "dpn/trees/schedule.hpp"
#include "frontend/findings/analyses/races.hpp"
#include "frontend/findings/analyses/separation.hpp"
#include "frontend/findings/finding.hpp"
#include "frontend/findings/narrative/source_terms.hpp"

namespace lockwood::findings {

// The id of the finding about the conflict, whatever its verdict is.
[[nodiscard]] std::string race_id(const SourceTerms& terms, const Conflict& conflict);

// Two threads are before the accesses at the end of the schedule. Throws Interrupted if asked to stop.
[[nodiscard]] Finding race_finding(const SourceTerms& terms, const Conflict& conflict, const dpn::Schedule& schedule,
                                   StopToken stop = {});

// Two threads can be before the accesses; nobody asked how.
[[nodiscard]] Finding race_finding(const SourceTerms& terms, const Conflict& conflict);

// They never do, and why.
[[nodiscard]] Finding no_race_finding(const SourceTerms& terms, const Conflict& conflict, const Separation& separation);

// Not decided, for this reason.
[[nodiscard]] Finding undecided_race_finding(const SourceTerms& terms, const Conflict& conflict, std::string reason);

// Many pairs of accesses to one variable that are not decided, one of them by its access.
[[nodiscard]] Finding undecided_races_finding(const SourceTerms& terms, AccessId one, std::size_t pairs,
                                              std::string reason);

}  // namespace lockwood::findings
