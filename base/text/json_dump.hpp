#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/process/stop.hpp"

namespace lockwood {

constexpr int no_indentation = -1;

// The value as text: on many lines with this indentation or, without any, on one. What is not UTF-8, such as a path may
// be, is replaced. Throws Interrupted if asked to stop: a large value takes seconds.
[[nodiscard]] std::string dumped(const nlohmann::ordered_json& value, int indentation, StopToken stop);

}  // namespace lockwood
