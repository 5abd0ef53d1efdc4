#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lockwood::reports {

// For each line of a text its "primaryLocationLineHash": what code scanning platforms tell results by when lines move.
// It is a hash of the first 100 characters from the line on, blanks and tabs aside, and the number of the line among
// those with the same hash, as `codeql-action` counts.
[[nodiscard]] std::vector<std::string> line_hashes(std::string_view text);

}  // namespace lockwood::reports
