#pragma once

#include <cstdint>
#include <limits>

// How heavy execution trees are: the engine looks for the lightest.
namespace lockwood::solver {

inline constexpr std::uint64_t node_weight = 1;
inline constexpr std::uint64_t thread_weight = std::uint64_t{1} << 40U;  // more than any tree of interest has nodes

inline constexpr std::uint64_t heaviest_weight = std::numeric_limits<std::uint64_t>::max();

// Trees can be exponentially larger than models, so sums stop at the top.
[[nodiscard]] constexpr std::uint64_t sum_of_weights(std::uint64_t a, std::uint64_t b) {
  return a > heaviest_weight - b ? heaviest_weight : a + b;
}

}  // namespace lockwood::solver
