#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "frontend/lsp/text.hpp"

namespace lockwood::lsp {

// Lines that an editor can fold away behind the first of them, counted from 0.
struct Fold {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  bool comment = false;
  friend auto operator<=>(const Fold&, const Fold&) = default;
};

// Blocks in braces, without the line of the closing brace, and comments of several lines; ascending. Programs and
// models have the same braces and comments. The text may have errors.
[[nodiscard]] std::vector<Fold> folds(const Text& text);

}  // namespace lockwood::lsp
