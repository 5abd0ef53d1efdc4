#pragma once

#include "base/process/stop.hpp"
#include "dpn/model/network.hpp"
#include "dpn/model/query.hpp"

namespace lockwood::solver::reference {

// Decides the query by the paper's construction: the sets of trees after each step, with threads where the step
// wants them; reachable iff the last one is not empty. A second opinion on the fast engine, for small models. Unknown
// only if a stop was requested. Requires that the query has a step.
[[nodiscard]] dpn::Verdict decide(const dpn::Network& network, const dpn::Query& query, StopToken stop = {});

}  // namespace lockwood::solver::reference
