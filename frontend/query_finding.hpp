#pragma once

#include "frontend/findings/finding.hpp"
#include "frontend/model_input.hpp"
#include "frontend/report.hpp"

namespace lockwood::frontend {

// The answer to a query as a finding, for the formats that know nothing else. Steps and threads are in lines of the
// program if the model was made of one, and else in words of the model.
[[nodiscard]] findings::Finding query_finding(const ModelInput& model, const QueryAnswer& answer);

}  // namespace lockwood::frontend
