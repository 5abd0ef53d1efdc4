#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace lockwood::explorer {

// Distinct pairs of numbers, numbered in the order of their first appearance. Eight bytes for a pair, and a slot of
// five bytes at a load between 3/8 and 3/4. Invariant: there is a power of two of slots, or none; a slot has a tag, 0
// if it is free, else some bits of the hash of the pair whose number it holds, which is found from its hash by linear
// probing. Tags lie by themselves: to look for a pair that is not there seldom touches other memory.
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
    if (4 * (pairs_.size() + 1) > 3 * numbers_.size()) grow();
    const std::uint64_t pair = (std::uint64_t{left} << 32U) | right;
    const std::size_t mask = numbers_.size() - 1;
    const std::uint64_t hash = hash_of(pair);
    const std::uint8_t tag = tag_of(hash);
    std::size_t slot = hash & mask;
    while (tags_[slot] != 0) {
      if (tags_[slot] == tag && pairs_[numbers_[slot]] == pair) return {numbers_[slot], false};
      slot = (slot + 1) & mask;
    }
    assert(pairs_.size() < std::numeric_limits<std::uint32_t>::max() - 1);
    pairs_.push_back(pair);
    tags_[slot] = tag;
    numbers_[slot] = static_cast<std::uint32_t>(pairs_.size() - 1);
    return {numbers_[slot], true};
  }

  [[nodiscard]] std::size_t bytes() const {
    return pairs_.capacity() * sizeof(std::uint64_t) + numbers_.capacity() * sizeof(std::uint32_t) + tags_.capacity();
  }

 private:
  [[nodiscard]] static std::uint64_t hash_of(std::uint64_t pair) {
    pair ^= pair >> 32U;
    pair *= 0xD6E8FEB86659FD93ULL;
    pair ^= pair >> 32U;
    pair *= 0xD6E8FEB86659FD93ULL;
    return pair ^ (pair >> 32U);
  }
  // Of bits that do not choose the slot, as long as there are less than 2^56 of them.
  [[nodiscard]] static std::uint8_t tag_of(std::uint64_t hash) {
    return static_cast<std::uint8_t>(std::max<std::uint64_t>(1, hash >> 56U));
  }
  void grow() {
    const std::size_t size = numbers_.empty() ? 16 : 2 * numbers_.size();
    std::vector<std::uint32_t> numbers(size);
    std::vector<std::uint8_t> tags(size);
    for (std::size_t number = 0; number < pairs_.size(); ++number) {
      const std::uint64_t hash = hash_of(pairs_[number]);
      std::size_t slot = hash & (size - 1);
      while (tags[slot] != 0) slot = (slot + 1) & (size - 1);
      tags[slot] = tag_of(hash);
      numbers[slot] = static_cast<std::uint32_t>(number);
    }
    numbers_.swap(numbers);
    tags_.swap(tags);
  }

  std::vector<std::uint64_t> pairs_;
  std::vector<std::uint32_t> numbers_;  // by slot
  std::vector<std::uint8_t> tags_;      // by slot
};

}  // namespace lockwood::explorer
