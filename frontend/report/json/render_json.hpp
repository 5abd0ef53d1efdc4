#pragma once

#include <cstddef>
#include <string>

#include "base/process/stop.hpp"
#include "frontend/report/report.hpp"

namespace lockwood::frontend {

// All of these throw Interrupted if asked to stop.

// The report in the format lockwood/results/1 (docs/results.schema.json), ended by a newline.
[[nodiscard]] std::string to_json(const Report& report, StopToken stop = {});

// One answer as one line, ended by a newline: an element of "queries".
[[nodiscard]] std::string to_json_line(const QueryAnswer& answer, StopToken stop = {});
// Of a batch, also with its newline.
[[nodiscard]] std::string to_json_line(const BatchLine& line, StopToken stop = {});

// One finding as one line, ended by a newline: an element of "findings".
[[nodiscard]] std::string to_json_line(const findings::Finding& finding, StopToken stop = {});

// What the work took, as one line, ended by a newline (`--stats=json`).
[[nodiscard]] std::string statistics_line(const Report& report, double seconds, std::size_t memory);

}  // namespace lockwood::frontend
