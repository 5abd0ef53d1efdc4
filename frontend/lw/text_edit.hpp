#pragma once

#include <cstdint>
#include <string_view>

#include "frontend/lw/syntax.hpp"

namespace lockwood::lw {

// A change of a text: a piece of it was replaced by so many bytes.
struct TextEdit {
  TextRange replaced;
  std::uint32_t length = 0;
};

// The smallest piece in which the texts differ.
[[nodiscard]] TextEdit difference(std::string_view before, std::string_view after);

}  // namespace lockwood::lw
