#include "jvm/archive/archive_limits.hpp"

#include <fmt/format.h>

#include <array>

namespace lockwood::jvm {

std::string bytes_text(std::uint64_t bytes) {
  constexpr std::array units = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) return fmt::format("{} bytes", bytes);
  double amount = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  for (; amount >= 1024 && unit + 1 < units.size(); ++unit) amount /= 1024;
  return fmt::format("{:.{}f} {}", amount, amount < 10 ? 1 : 0, units[unit]);
}

}  // namespace lockwood::jvm
