#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>

namespace lockwood {

// Pseudo-random numbers that are the same on every platform for the same seed, which the distributions of <random> are
// not: splitmix64 (Steele, Lea, Flood 2014), a counter through a bijective mixer, so that neighbouring seeds give
// unrelated sequences.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_{seed} {}

  std::uint64_t next() {
    std::uint64_t mixed = state_ += 0x9E3779B97F4A7C15U;
    mixed = (mixed ^ (mixed >> 30U)) * 0xBF58476D1CE4E5B9U;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBU;
    return mixed ^ (mixed >> 31U);
  }
  // One of 0, …, bound - 1. Requires bound > 0. The remainder's bias is below bound / 2^64.
  std::size_t below(std::size_t bound) {
    assert(bound > 0);
    return static_cast<std::size_t>(next() % bound);
  }
  // True in so many of a hundred cases.
  bool percent(std::size_t share) { return below(100) < share; }

 private:
  std::uint64_t state_;
};

}  // namespace lockwood
