#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace lockwood {

// For each of the seekers 0, …, seekers - 1 a place among 0, …, places - 1 that fits it, all different; nothing if
// there is no such choice. Deterministic. By augmenting paths [berge.57.theorems], each found breadth first.
[[nodiscard]] std::optional<std::vector<std::size_t>> matching(
    std::size_t seekers, std::size_t places, const std::function<bool(std::size_t seeker, std::size_t place)>& fits);

}  // namespace lockwood
