#pragma once

#include <string>
#include <string_view>

namespace lockwood {

// What a terminal can show in one line: control characters and bytes that are no UTF-8 become '?', tabs become spaces.
// Nobody's names can then move the cursor or end a line. Keeps the number of bytes, so that carets stay in place.
[[nodiscard]] std::string printable(std::string_view text);

// The name for a message: clipped if it is long.
[[nodiscard]] std::string shown_name(std::string_view name);

}  // namespace lockwood
