#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "frontend/findings/finding.hpp"
#include "frontend/findings/narrative/source_terms.hpp"
#include "solver/analyses/deadlock.hpp"

namespace lockwood::findings {

// Tells the places of a program apart at which threads wait for locks; for solver::DeadlockOptions. The program must
// outlive it.
[[nodiscard]] std::function<std::size_t(dpn::StackSymbol)> places(const program::Lowered& lowered);

// "a thread holds a and wants b, another holds b and waits at a join for one that wants a"
[[nodiscard]] std::string cycle_text(const dpn::Network& network, const solver::CycleShape& cycle);
// What the threads do that meet the goals of the cycle's problem: "holds a, wants b".
[[nodiscard]] std::vector<std::string> cycle_roles(const dpn::Network& network, const solver::CycleShape& cycle);
// Of a thread between one that waits at a join and the one for which it waits.
inline constexpr const char* role_between = "waits at a join for the next one";

// What the cycle means in the program: who stands where with a schedule if it closes, or that it does not. Throws
// Interrupted if asked to stop.
[[nodiscard]] Finding deadlock_finding(const SourceTerms& terms, const solver::LockCycle& cycle, StopToken stop = {});

}  // namespace lockwood::findings
