#pragma once

#include <optional>
#include <vector>

#include "dpn/model/network.hpp"
#include "dpn/semantics/configuration.hpp"
#include "solver/query/problem.hpp"

namespace lockwood::problem {

// Which threads meet the goals of a phase in a configuration.
struct GoalThreads {
  std::vector<dpn::ThreadId> meeting;               // by goal; all different
  std::vector<std::vector<dpn::ThreadId>> between;  // by Awaiting: from the waiter to the awaited one, without both
};

// The threads for which joins of the groups by this thread wait: live members, and their live offspring if the groups
// have it. Ascending.
[[nodiscard]] std::vector<dpn::ThreadId> awaited_threads(const dpn::Configuration& configuration, dpn::ThreadId thread,
                                                         const std::vector<dpn::Group>& groups);

// Some such threads, if there are any. The time may grow exponentially with the number of goals if some wait in joins.
[[nodiscard]] std::optional<GoalThreads> threads_meeting(const dpn::Network& network, const Phase& phase,
                                                         const dpn::Configuration& configuration);

// The first goal that cannot be met by a thread of its own together with those before it, whoever waits for whom.
[[nodiscard]] std::optional<std::size_t> unmet_goal(const dpn::Network& network, const std::vector<StandGoal>& goals,
                                                    const dpn::Configuration& configuration);

}  // namespace lockwood::problem
