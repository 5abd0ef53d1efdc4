#pragma once

#include <cstddef>

namespace lockwood::lw {

// After so many errors, one does not look for more.
inline constexpr std::size_t max_errors = 20;

}  // namespace lockwood::lw
