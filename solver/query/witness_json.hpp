#pragma once

#include <vector>

#include "base/process/stop.hpp"
#include "base/text/json.hpp"
#include "dpn/trees/schedule.hpp"
#include "solver/query/named_json.hpp"
#include "solver/query/problem_json.hpp"

namespace lockwood::problem {

// The proof that the problem has an answer: a schedule, to be replayed (docs/certificates.md). Requires that the moves
// are enabled one after the other. `answer` are the symbols that were collected, if the problem collects. Throws
// Interrupted if asked to stop.
[[nodiscard]] nlohmann::ordered_json witness_json(const dpn::Network& network, const Problem& problem,
                                                  const dpn::Schedule& schedule,
                                                  const std::vector<dpn::StackSymbol>& answer = {},
                                                  StopToken stop = {});

// The schedule of such a proof. Throws Rejected, and Interrupted if asked to stop; that its moves are enabled
// remains to be seen.
[[nodiscard]] dpn::Schedule read_schedule(const dpn::Network& network, const Problem& problem, const Json& json,
                                          StopToken stop = {});

}  // namespace lockwood::problem
