#pragma once

#include <nlohmann/json_fwd.hpp>

#include "frontend/findings/finding.hpp"

namespace lockwood::findings {

// An element of "findings" in a report (docs/results.schema.json).
[[nodiscard]] nlohmann::ordered_json to_json(const Finding& finding);

}  // namespace lockwood::findings
