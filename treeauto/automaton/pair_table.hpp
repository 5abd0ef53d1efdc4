#pragma once

#include <tsl/hopscotch_map.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "treeauto/automaton/automaton.hpp"

namespace lockwood::treeauto {

// Pairs of states numbered in the order in which they are added. A full matrix is several times faster than hashing,
// so it is used if it is small, or once enough of it is filled that making it takes no longer than adding the pairs
// did.
class PairTable {
 public:
  using Number = std::uint32_t;
  static constexpr Number none = std::numeric_limits<Number>::max();  // larger than any number

  // Of states numbered below these bounds.
  PairTable(std::size_t first, std::size_t second) : second_{second} {
    if (second > 0 && first <= matrix_limit / second) cells_ = first * second;
    if (cells_ <= small_matrix) matrix_.assign(cells_, none);
  }

  [[nodiscard]] std::size_t size() const { return pairs_.size(); }
  [[nodiscard]] std::pair<State, State> operator[](Number number) const { return pairs_[number]; }
  [[nodiscard]] Number find(State first, State second) const {
    if (!matrix_.empty()) return matrix_[first.index() * second_ + second.index()];
    const auto found = map_.find(key(first, second));
    return found == map_.end() ? none : found->second;
  }
  // The number of the pair, a new one if it was not there.
  Number add(State first, State second) {
    const auto added = static_cast<Number>(pairs_.size());
    if (!matrix_.empty()) {
      Number& slot = matrix_[first.index() * second_ + second.index()];
      if (slot != none) return slot;
      slot = added;
    } else {
      const auto [place, is_new] = map_.emplace(key(first, second), added);
      if (!is_new) return place->second;
    }
    pairs_.emplace_back(first, second);
    if (matrix_.empty() && cells_ > 0 && pairs_.size() >= cells_ / cells_per_pair) fill_matrix();
    return added;
  }

 private:
  static constexpr std::size_t matrix_limit = std::size_t{1} << 24U;  // cells, 64 MB
  static constexpr std::size_t small_matrix = std::size_t{1} << 14U;
  static constexpr std::size_t cells_per_pair = 16;
  struct Mix {
    std::size_t operator()(std::uint64_t key) const {
      key *= 0x9E3779B97F4A7C15ULL;
      return key ^ (key >> 32U);
    }
  };
  [[nodiscard]] static std::uint64_t key(State first, State second) {
    return std::uint64_t{first.index()} << 32U | second.index();
  }
  void fill_matrix() {
    matrix_.assign(cells_, none);
    for (Number number = 0; number < pairs_.size(); ++number)
      matrix_[pairs_[number].first.index() * second_ + pairs_[number].second.index()] = number;
    map_ = {};
  }

  std::size_t second_;
  std::size_t cells_ = 0;  // of the matrix, if it may be made
  std::vector<Number> matrix_;
  tsl::hopscotch_map<std::uint64_t, Number, Mix> map_;
  std::vector<std::pair<State, State>> pairs_;
};

}  // namespace lockwood::treeauto
