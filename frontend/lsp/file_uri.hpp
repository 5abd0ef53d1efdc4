#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lockwood::lsp {

// The path of `file:///a%20b/C.java`; nothing if it is an address of something else than a file here.
[[nodiscard]] std::optional<std::string> path_of_uri(std::string_view uri);

// The address of an absolute path.
[[nodiscard]] std::string uri_of_path(std::string_view path);

}  // namespace lockwood::lsp
