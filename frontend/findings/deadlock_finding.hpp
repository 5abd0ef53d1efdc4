#pragma once

#include "frontend/findings/finding.hpp"
#include "frontend/findings/source_terms.hpp"
#include "solver/deadlock.hpp"

namespace lockwood::findings {

// What the ring means in the program: who stands where with a schedule if it closes, or that it does not.
[[nodiscard]] Finding deadlock_finding(const SourceTerms& terms, const solver::LockRing& ring);

}  // namespace lockwood::findings
