#pragma once

#include <cstdint>
#include <limits>

// How heavy execution trees are: the engine looks for the lightest.
namespace lockwood::solver {

inline constexpr std::uint64_t node_weight = 1;
inline constexpr std::uint64_t thread_weight = std::uint64_t{1} << 40U;  // more than any tree of interest has nodes

// Trees can be exponentially larger than models, so sums stop at the top.
[[nodiscard]] constexpr std::uint64_t sum_of_weights(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t heaviest = std::numeric_limits<std::uint64_t>::max();
  return a > heaviest - b ? heaviest : a + b;
}

}  // namespace lockwood::solver
