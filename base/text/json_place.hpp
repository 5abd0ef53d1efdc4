#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "base/text/diagnostic.hpp"

// Where the values of a JSON document stand: by paths, such as "/rules/3/kind".
namespace lockwood {

// The remark about the value with this path, which is put before the message, clipped if it is long. If there is no
// such value, the place is that of the last one on the way to it. Of the text, only what comes before that place need
// be JSON.
[[nodiscard]] Diagnostic diagnostic_at_path(std::string_view file, std::string_view text, std::string_view path,
                                            const std::string& message);

// The path of the value that is at this address within the document. That of anything else is empty, as is that of
// the document itself.
[[nodiscard]] std::string path_of(const nlohmann::json& document, const nlohmann::json* value);

}  // namespace lockwood
