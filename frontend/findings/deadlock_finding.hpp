#pragma once

#include <cstddef>
#include <functional>

#include "frontend/findings/finding.hpp"
#include "frontend/findings/narrative/source_terms.hpp"
#include "solver/analyses/deadlock.hpp"

namespace lockwood::findings {

// Tells the places of a program apart at which threads wait for locks; for solver::DeadlockOptions. The program must
// outlive it.
[[nodiscard]] std::function<std::size_t(dpn::StackSymbol)> places(const program::Lowered& lowered);

// What the ring means in the program: who stands where with a schedule if it closes, or that it does not. Throws
// Interrupted if asked to stop.
[[nodiscard]] Finding deadlock_finding(const SourceTerms& terms, const solver::LockRing& ring, StopToken stop = {});

}  // namespace lockwood::findings
