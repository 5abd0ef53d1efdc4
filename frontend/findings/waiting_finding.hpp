#pragma once

#include "frontend/findings/analyses/waits.hpp"
#include "frontend/findings/finding.hpp"
#include "frontend/findings/narrative/source_terms.hpp"

namespace lockwood::findings {

// A thread waits for ever, with the schedule to its wait. A nested-monitor lockout is a deadlock, about the lock that
// it keeps and the one that it waits for. Throws Interrupted if asked to stop.
[[nodiscard]] Finding waiting_finding(const SourceTerms& terms, const EndlessWait& wait, StopToken stop = {});

}  // namespace lockwood::findings
