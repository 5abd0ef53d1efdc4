#pragma once

#include <nlohmann/json_fwd.hpp>

#include "base/process/stop.hpp"
#include "frontend/findings/finding.hpp"

namespace lockwood::findings {

// An element of "findings" in a report (docs/results.schema.json). Throws Interrupted if asked to stop.
[[nodiscard]] nlohmann::ordered_json to_json(const Finding& finding, StopToken stop = {});

}  // namespace lockwood::findings
