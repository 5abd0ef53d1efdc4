#pragma once

#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "dpn/model/rule.hpp"

namespace lockwood::solver {

using dpn::Lock;

// A set of locks: one machine word for the locks 0 … 63, further words only when a lock beyond them is a member.
// Invariant: the last of the further words, if there is one, is not zero; so equal sets have equal words.
class LockSet {
 public:
  LockSet() = default;
  [[nodiscard]] static LockSet of(Lock lock) {
    LockSet set;
    set.insert(lock);
    return set;
  }

  [[nodiscard]] bool empty() const { return first_ == 0 && further_.empty(); }
  [[nodiscard]] bool contains(Lock lock) const {
    if (lock.index() < 64) return (first_ & bit_of(lock)) != 0;
    return place_of(lock) < further_.size() && (further_[place_of(lock)] & bit_of(lock)) != 0;
  }
  void insert(Lock lock);
  void insert(const LockSet& other);
  [[nodiscard]] bool intersects(const LockSet& other) const;
  [[nodiscard]] bool subset_of(const LockSet& other) const;
  [[nodiscard]] std::size_t size() const;

  // Calls f(lock) for each member, ascending.
  template <class F>
  void for_each(F f) const {
    const auto each = [&f](std::uint64_t word, std::size_t begin) {
      for (; word != 0; word &= word - 1) f(Lock{begin + static_cast<std::size_t>(std::countr_zero(word))});
    };
    each(first_, 0);
    for (std::size_t i = 0; i < further_.size(); ++i) each(further_[i], 64 * (i + 1));
  }

  [[nodiscard]] std::size_t hash() const;
  friend bool operator==(const LockSet&, const LockSet&) = default;

  void check_invariants() const { assert(further_.empty() || further_.back() != 0); }

 private:
  static std::size_t place_of(Lock lock) {
    assert(lock.index() >= 64);  // the first word has the others
    return lock.index() / 64 - 1;
  }
  static std::uint64_t bit_of(Lock lock) { return std::uint64_t{1} << (lock.index() % 64); }

  std::uint64_t first_ = 0;
  std::vector<std::uint64_t> further_;
};

// Mixes a value into a hash.
[[nodiscard]] constexpr std::size_t mixed(std::size_t hash, std::uint64_t value) {
  hash ^= value + 0x9E3779B97F4A7C15ULL + (hash << 6U) + (hash >> 2U);
  hash *= 0xFF51AFD7ED558CCDULL;
  return hash ^ (hash >> 32U);
}

}  // namespace lockwood::solver
