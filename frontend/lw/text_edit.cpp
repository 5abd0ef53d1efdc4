#include "frontend/lw/text_edit.hpp"

#include <algorithm>

namespace lockwood::lw {

TextEdit difference(std::string_view before, std::string_view after) {
  const std::size_t shorter = std::min(before.size(), after.size());
  const auto first = static_cast<std::size_t>(
      std::mismatch(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(shorter), after.begin()).first -
      before.begin());
  std::size_t last = 0;
  while (last < shorter - first && before[before.size() - 1 - last] == after[after.size() - 1 - last]) ++last;
  return {{static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(before.size() - last)},
          static_cast<std::uint32_t>(after.size() - last - first)};
}

}  // namespace lockwood::lw
