#pragma once

#include <span>
#include <string>
#include <string_view>

#include "dpn/formats/model_file.hpp"

namespace lockwood::dpn {

// The schema that the JSON form of a model names; docs/dpn-format.md describes it.
inline constexpr std::string_view model_schema = "lockwood/model/1";

// The model as JSON, one symbol, rule or query a line, which parse_json reads back to an equal one, ids included.
// Labels and names must be UTF-8. Throws Interrupted if asked to stop.
[[nodiscard]] std::string to_json(const Network& network, std::span<const Query> queries, StopToken stop = {});

// Reads a model in JSON. Throws InputError: with line and column if the text is no JSON, else with all problems found,
// up to a limit, each with the path of the value that is wrong, such as /rules/3/from/1. Throws Interrupted if asked to
// stop.
[[nodiscard]] ModelFile parse_json(std::string_view text, std::string_view file, StopToken stop = {});

}  // namespace lockwood::dpn
