#pragma once

#include "base/process/stop.hpp"
#include "dpn/model/query.hpp"
#include "frontend/cli/input/model_input.hpp"
#include "frontend/findings/settling.hpp"
#include "frontend/report/report.hpp"

namespace lockwood::frontend {

// The model of a program can get somewhere: can the program, with its values? Adds to the answer how sure it is, by its
// schedule or by a search; an answer that the search excludes is "unreachable". Answers about models, those without a
// schedule, and those to queries of several steps stay as they are.
void settle(QueryAnswer& answer, const dpn::Query& query, const ModelInput& model,
            const findings::SettlingBudget& budget, StopToken stop);

}  // namespace lockwood::frontend
