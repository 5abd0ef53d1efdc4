#include "frontend/lw/text_lines.hpp"

#include <algorithm>

namespace lockwood::lw {

TextLines::TextLines(std::string_view text) : begins_{0} {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') begins_.push_back(static_cast<std::uint32_t>(i + 1));
}

Position TextLines::position(std::size_t offset) const {
  const auto after = std::ranges::upper_bound(begins_, offset);
  const auto line = static_cast<std::size_t>(after - begins_.begin());
  return {static_cast<std::uint32_t>(line), static_cast<std::uint32_t>(offset - begins_[line - 1] + 1)};
}

std::size_t TextLines::offset(Position position) const {
  const std::size_t line = std::clamp<std::size_t>(position.line, 1, begins_.size());
  return begins_[line - 1] + position.column - 1;
}

}  // namespace lockwood::lw
