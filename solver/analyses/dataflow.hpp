#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/process/stop.hpp"
#include "dpn/model/network.hpp"
#include "dpn/model/query.hpp"
#include "solver/engine/engine_statistics.hpp"

namespace lockwood::solver {

// One bit of a forward bitvector problem [nordhoff.13.iterable, Example 2]: actions that make it true, and actions that
// make it false.
struct FlowFact {
  std::string name;
  std::vector<dpn::Action> generating;
  std::vector<dpn::Action> killing;
};

struct FlowAnswer {
  std::vector<dpn::StackSymbol> points;  // ascending: a thread can stand there while the fact holds
  std::optional<StopReason> stopped;     // if so there may be more
  EngineStatistics statistics;
};

// All program points that the fact reaches, from one run of three phases: anything; a generating action and nothing
// else; anything but killing actions. The middle phase makes it exact for generating rules of every kind: that the
// action was the last step before need not be told from where threads stand.
[[nodiscard]] FlowAnswer reached_points(const dpn::Network& network, const FlowFact& fact, dpn::Semantics semantics,
                                        StopToken stop = {});

// Facts that one run can answer, by their numbers: those with the same actions, generating or killing, are in one
// group, unless there are too many generating ones. In the order of the first fact of each.
[[nodiscard]] std::vector<std::vector<std::size_t>> flow_groups(const std::vector<FlowFact>& facts);

// The same for the facts of a group, in one run for all of them: trees in which no fact of the group becomes true are
// looked at once. If it was stopped, all answers say so. The statistics are those of the whole run.
[[nodiscard]] std::vector<FlowAnswer> reached_points(const dpn::Network& network, const std::vector<FlowFact>& group,
                                                     dpn::Semantics semantics, StopToken stop = {});

// The answer as queries with single verdicts, which can be proved one by one: that each point is reached and, unless
// the run was stopped, that none of the others is.
[[nodiscard]] std::vector<dpn::Query> claims_of(const dpn::Network& network, const FlowFact& fact,
                                                dpn::Semantics semantics, const FlowAnswer& answer);

// Reaching definitions: actions named def(v, …) or def(v) define the variable v. Each is a fact, killed by the other
// definitions of its variable. In the order of the actions.
[[nodiscard]] std::vector<FlowFact> reaching_definitions(const dpn::Network& network);

}  // namespace lockwood::solver
