#pragma once

#include <cstdint>
#include <string>

namespace lockwood::program {

// The text of a random program whose threads branch on shared values, wait for each other and fail: the same for the
// same seed. Its states are finitely many: no recursion, no spawns in loops, and variables only take a few values.
[[nodiscard]] std::string random_text(std::uint64_t seed, std::size_t statements);
// The same with threads that wait for each other's end: by handles, for all that was started, and at the ends of
// blocks.
[[nodiscard]] std::string random_text_with_joins(std::uint64_t seed, std::size_t statements);

}  // namespace lockwood::program
