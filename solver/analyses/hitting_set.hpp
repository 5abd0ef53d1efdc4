#pragma once

#include <cstddef>
#include <vector>

namespace lockwood::solver {

// A smallest set of numbers that has an element in common with each of the given sets, none of which is empty; of
// several the lexicographically first. By trying sizes 0, 1, 2, … and branching on the elements of a set not yet hit.
[[nodiscard]] std::vector<std::size_t> smallest_hitting_set(const std::vector<std::vector<std::size_t>>& sets);

}  // namespace lockwood::solver
