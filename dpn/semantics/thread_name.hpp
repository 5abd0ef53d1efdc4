#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace lockwood::dpn {

// "main", "main.1", "main.1.2": the path of spawns. It is given from its end: the thread is the ordinals[0]-th one that
// its parent spawned, the parent the ordinals[1]-th one of its own, and so on up to the main thread, which has none.
[[nodiscard]] inline std::string thread_name(std::vector<std::uint32_t> ordinals) {
  std::ranges::reverse(ordinals);
  std::string name = "main";
  for (std::uint32_t ordinal : ordinals) name += '.' + std::to_string(ordinal);
  return name;
}

}  // namespace lockwood::dpn
