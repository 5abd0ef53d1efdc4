#pragma once

#include "base/ids/id_vector.hpp"
#include "base/process/stop.hpp"
#include "frontend/cli/input/model_input.hpp"
#include "frontend/findings/finding.hpp"
#include "frontend/report/report.hpp"

namespace lockwood::frontend {

// The answer to a query as a finding: that a query is reachable, or that threads wait for each other in a cycle. The
// schedule is in lines of the program if the model was made of one, else in words of the model, with the lines of its
// rules where these are known. Throws Interrupted if asked to stop.
[[nodiscard]] findings::Finding query_finding(const ModelInput& model, const QueryAnswer& answer,
                                              const IdVector<dpn::RuleId, Position>& rule_positions, StopToken stop);

}  // namespace lockwood::frontend
