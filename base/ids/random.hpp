#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace lockwood {

// Random numbers that are the same on every platform and in every version of the standard library: xoshiro256**,
// seeded by splitmix64 [blackman.21.scrambled, Sect. 4 and 5].
class Random {
 public:
  explicit Random(std::uint64_t seed) {
    for (std::uint64_t& word : state_) {
      seed += 0x9E3779B97F4A7C15ULL;
      std::uint64_t mixed = seed;
      mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9ULL;
      mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBULL;
      word = mixed ^ (mixed >> 31);
    }
  }

  [[nodiscard]] std::uint64_t next() {
    const std::uint64_t result = rotated(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = rotated(state_[3], 45);
    return result;
  }

  // Uniform over 0, …, bound - 1. Requires bound > 0.
  [[nodiscard]] std::size_t below(std::size_t bound) {
    assert(bound > 0);
    // Values from the last, incomplete round of 0, …, bound - 1 would favour small numbers: drawn again.
    constexpr std::uint64_t greatest = std::numeric_limits<std::uint64_t>::max();
    const std::uint64_t incomplete = (greatest % bound + 1) % bound;
    while (true) {
      const std::uint64_t value = next();
      if (value <= greatest - incomplete) return static_cast<std::size_t>(value % bound);
    }
  }

  // True in so many of a hundred cases.
  [[nodiscard]] bool percent(std::size_t share) { return below(100) < share; }

 private:
  static constexpr std::uint64_t rotated(std::uint64_t word, int by) { return (word << by) | (word >> (64 - by)); }

  std::array<std::uint64_t, 4> state_;
};

}  // namespace lockwood
