#pragma once

#include <nlohmann/json_fwd.hpp>

#include "base/process/stop.hpp"
#include "frontend/findings/finding.hpp"

namespace lockwood::findings {

// An element of "findings" in a report (docs/results.schema.json). Throws Interrupted if asked to stop.
[[nodiscard]] nlohmann::ordered_json to_json(const Finding& finding, StopToken stop = {});

// Parts of it, for whoever has no more than these. The first throws Interrupted if asked to stop.
[[nodiscard]] nlohmann::ordered_json to_json(const std::vector<SourceStep>& schedule, StopToken stop);
[[nodiscard]] nlohmann::ordered_json to_json(const std::vector<Assumption>& assumptions);
[[nodiscard]] nlohmann::ordered_json to_json(const Settled& settled);

}  // namespace lockwood::findings
