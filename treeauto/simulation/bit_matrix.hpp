#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lockwood::treeauto {

// A relation on 0, …, size - 1 as a square of bits, a row after the other, that can grow.
class BitMatrix {
 public:
  BitMatrix() = default;
  explicit BitMatrix(std::size_t size) { resize(size); }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool test(std::size_t row, std::size_t column) const {
    assert(row < size_ && column < size_);
    return (words_[row * stride_ + column / 64] >> (column % 64) & 1U) != 0;
  }
  void set(std::size_t row, std::size_t column) {
    words_[row * stride_ + column / 64] |= std::uint64_t{1} << (column % 64);
  }
  void reset(std::size_t row, std::size_t column) {
    words_[row * stride_ + column / 64] &= ~(std::uint64_t{1} << (column % 64));
  }
  // The bits of a row, 64 in a word, those beyond the size being 0.
  [[nodiscard]] std::span<const std::uint64_t> row(std::size_t row) const {
    return std::span{words_}.subspan(row * stride_, stride_);
  }
  void copy_row(std::size_t from, std::size_t to) {
    std::copy_n(words_.begin() + static_cast<std::ptrdiff_t>(from * stride_), stride_,
                words_.begin() + static_cast<std::ptrdiff_t>(to * stride_));
  }
  // Keeps what is there; new bits are 0. Sides grow by half at least, so that growing bit by bit is no more than a
  // constant factor slower than at once, and the first size is taken as it is.
  void resize(std::size_t size) {
    if (size > capacity_) {
      const std::size_t stride = (std::max(size, capacity_ + capacity_ / 2) + 63) / 64;
      const std::size_t capacity = 64 * stride;
      std::vector<std::uint64_t> words(capacity * stride);
      for (std::size_t row = 0; row < size_; ++row)
        std::copy_n(words_.begin() + static_cast<std::ptrdiff_t>(row * stride_), stride_,
                    words.begin() + static_cast<std::ptrdiff_t>(row * stride));
      words_ = std::move(words);
      stride_ = stride;
      capacity_ = capacity;
    }
    size_ = size;
  }

 private:
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  std::size_t stride_ = 0;  // words per row
  std::vector<std::uint64_t> words_;
};

}  // namespace lockwood::treeauto
