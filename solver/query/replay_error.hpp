#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/process/stop.hpp"
#include "dpn/trees/schedule.hpp"
#include "solver/query/problem.hpp"

namespace lockwood::problem {

// Why the schedule is no execution that goes through the phases of the problem and, if it collects, ends with further
// threads at the symbols of the answer; nothing if it is one. Knows nothing but the small-step semantics: every move is
// enabled, avoided actions are not done, of each required set one is, at the end of each phase different threads meet
// its goals, and its observers accept the execution tree up to there. Throws Interrupted if asked to stop.
[[nodiscard]] std::optional<std::string> replay_error(const dpn::Network& network, const Problem& problem,
                                                      const dpn::Schedule& schedule,
                                                      const std::vector<dpn::StackSymbol>& answer = {},
                                                      StopToken stop = {});

}  // namespace lockwood::problem
