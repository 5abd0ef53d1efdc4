#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace lockwood::explorer {

// Distinct pairs of numbers, numbered in the order of their first appearance. Eight bytes for a
// pair, and a slot of four bytes at a load between 3/8 and 3/4. Invariant: slots_ is empty or a power of two; an
// occupied slot holds 1 + the number of a pair, which is found from its hash by linear probing.
class PairTable {
 public:
  struct Interned {
    std::uint32_t number;
    bool is_new;
  };

  [[nodiscard]] std::size_t size() const { return pairs_.size(); }
  [[nodiscard]] std::uint32_t left(std::uint32_t number) const {
    assert(number < pairs_.size());
    return static_cast<std::uint32_t>(pairs_[number] >> 32U);
  }
  [[nodiscard]] std::uint32_t right(std::uint32_t number) const {
    assert(number < pairs_.size());
    return static_cast<std::uint32_t>(pairs_[number]);
  }

  Interned intern(std::uint32_t left, std::uint32_t right) {
    if (4 * (pairs_.size() + 1) > 3 * slots_.size()) grow();
    const std::uint64_t pair = (std::uint64_t{left} << 32U) | right;
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = hash_of(pair) & mask;
    while (slots_[slot] != 0) {
      const std::uint32_t number = slots_[slot] - 1;
      if (pairs_[number] == pair) return {number, false};
      slot = (slot + 1) & mask;
    }
    assert(pairs_.size() < std::numeric_limits<std::uint32_t>::max() - 1);
    pairs_.push_back(pair);
    slots_[slot] = static_cast<std::uint32_t>(pairs_.size());
    return {slots_[slot] - 1, true};
  }

  [[nodiscard]] std::size_t bytes() const {
    return pairs_.capacity() * sizeof(std::uint64_t) + slots_.capacity() * sizeof(std::uint32_t);
  }

 private:
  [[nodiscard]] static std::size_t hash_of(std::uint64_t pair) {
    pair ^= pair >> 32U;
    pair *= 0xD6E8FEB86659FD93ULL;
    pair ^= pair >> 32U;
    pair *= 0xD6E8FEB86659FD93ULL;
    return static_cast<std::size_t>(pair ^ (pair >> 32U));
  }
  void grow() {
    std::vector<std::uint32_t> slots(slots_.empty() ? 16 : 2 * slots_.size());
    const std::size_t mask = slots.size() - 1;
    for (std::size_t number = 0; number < pairs_.size(); ++number) {
      std::size_t slot = hash_of(pairs_[number]) & mask;
      while (slots[slot] != 0) slot = (slot + 1) & mask;
      slots[slot] = static_cast<std::uint32_t>(number + 1);
    }
    slots_.swap(slots);
  }

  std::vector<std::uint64_t> pairs_;
  std::vector<std::uint32_t> slots_;
};

}  // namespace lockwood::explorer
