#pragma once

#include <optional>
#include <string>

#include "dpn/schedule.hpp"
#include "solver/problem.hpp"

namespace lockwood::solver {

// Why the schedule is no execution that goes through the phases of the problem; nothing if it is one. Looks only at the
// small-step semantics: every move is enabled, avoided actions are not used, of each required set one is, and at the
// end of each phase different threads meet its goals. Observers are not looked at: they see trees, not configurations.
[[nodiscard]] std::optional<std::string> refutation(const dpn::Network& network, const Problem& problem,
                                                    const dpn::Schedule& schedule);

}  // namespace lockwood::solver
