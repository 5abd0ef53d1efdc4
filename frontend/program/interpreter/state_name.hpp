#pragma once

#include <compare>
#include <cstdint>
#include <string_view>

namespace lockwood::program {

// 128 bits that stand for a state, or for a part of one, in every version of a program.
struct StateName {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  friend auto operator<=>(const StateName&, const StateName&) = default;
};

// The order counts.
[[nodiscard]] constexpr StateName mixed(StateName a, StateName b) {
  const auto mix = [](std::uint64_t x) {
    x ^= x >> 32U;
    x *= 0xD6E8FEB86659FD93ULL;
    x ^= x >> 32U;
    x *= 0xD6E8FEB86659FD93ULL;
    return x ^ (x >> 32U);
  };
  const std::uint64_t high = mix(a.high + mix(b.high + 0x9E3779B97F4A7C15ULL) + b.low);
  const std::uint64_t low = mix(a.low * 3 + mix(b.low + 0xC2B2AE3D27D4EB4FULL) + high);
  return {mix(high + a.low), low};
}

[[nodiscard]] constexpr StateName name_of_text(std::string_view text) {
  StateName name{text.size(), 0};
  for (char c : text) name = mixed(name, {static_cast<unsigned char>(c), 1});
  return name;
}

}  // namespace lockwood::program
