#pragma once

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <boost/multiprecision/cpp_int.hpp>
#include <cassert>
#include <cstddef>
#include <utility>

namespace lockwood::treeauto {

using BigInteger = boost::multiprecision::cpp_int;

// How many there are of each size. Only sizes of which there are any take memory: a state in the middle of a long
// chain has trees of one size.
class SizeCounts {
 public:
  struct Entry {
    std::size_t size;
    BigInteger count;
  };

  // Smaller sizes first.
  [[nodiscard]] auto begin() const { return entries_.begin(); }
  [[nodiscard]] auto end() const { return entries_.end(); }
  [[nodiscard]] const Entry& largest() const { return entries_.back(); }

  [[nodiscard]] const BigInteger& operator[](std::size_t size) const {
    static const BigInteger none = 0;
    const auto place = std::ranges::lower_bound(entries_, size, {}, [](const Entry& entry) { return entry.size; });
    return place != entries_.end() && place->size == size ? place->count : none;
  }

  // Requires that nothing larger was added, and that the count is not 0. Returns whether the size is new.
  bool add(std::size_t size, const BigInteger& count) {
    assert(entries_.empty() || entries_.back().size <= size);
    if (!entries_.empty() && entries_.back().size == size) {
      entries_.back().count += count;
      return false;
    }
    entries_.push_back({size, count});
    return true;
  }

 private:
  boost::container::small_vector<Entry, 1> entries_;
};

// How many pairs have that size together.
[[nodiscard]] inline BigInteger count_pairs(const SizeCounts& left, const SizeCounts& right, std::size_t size) {
  BigInteger sum = 0;
  auto above = right.end();  // what is here or further on is too large
  for (const auto& [part, count] : left) {
    while (above != right.begin() && std::prev(above)->size + part > size) --above;
    if (above != right.begin() && std::prev(above)->size + part == size) sum += count * std::prev(above)->count;
  }
  return sum;
}

}  // namespace lockwood::treeauto
