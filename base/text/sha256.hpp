#pragma once

#include <string>
#include <string_view>

namespace lockwood {

// The SHA-256 digest of the bytes [nist.15.sha, Sect. 6.2] as 64 lower-case hexadecimal digits.
[[nodiscard]] std::string sha256(std::string_view bytes);

}  // namespace lockwood
