#pragma once

#include <cstddef>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "base/process/stop.hpp"

namespace lockwood {

// Is asked for each element of an array that is a member of the document, as soon as the element is whole, with what
// was read of the document before. An element that it takes (true) is not kept: so a long list needs no memory.
using TakeElement =
    std::function<bool(const nlohmann::json& document, std::string_view member, const nlohmann::json& element)>;

struct JsonReading {
  std::size_t depth_limit = 1000;  // of arrays and objects in each other
  TakeElement take = {};           // none: all elements are kept
  StopToken stop = {};
};

// The value that a text says: the one place where JSON of others is read. Throws InputError with the place for what is
// no JSON, and for what a reader of JSON may take for something else or not survive: an object with two members of one
// name, of which one would be forgotten, a number that is too large, and deep nesting. Throws Interrupted if asked to
// stop.
[[nodiscard]] nlohmann::json parse_json_text(std::string_view text, std::string_view file,
                                             const JsonReading& reading = {});

}  // namespace lockwood
