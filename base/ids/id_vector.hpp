#pragma once

#include <cassert>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <utility>
#include <vector>

namespace lockwood {

// The ids begin, …, end - 1 in order, for range-based loops.
template <class Key>
class IdRange {
 public:
  class Iterator {
   public:
    using value_type = Key;
    using difference_type = std::ptrdiff_t;
    constexpr Iterator() = default;
    constexpr explicit Iterator(std::size_t index) : index_{index} {}
    constexpr Key operator*() const { return Key{index_}; }
    constexpr Iterator& operator++() {
      ++index_;
      return *this;
    }
    constexpr Iterator operator++(int) {
      Iterator before = *this;
      ++index_;
      return before;
    }
    friend constexpr bool operator==(Iterator, Iterator) = default;

   private:
    std::size_t index_ = 0;
  };

  constexpr explicit IdRange(std::size_t end) : end_{end} {}
  constexpr IdRange(std::size_t begin, std::size_t end) : begin_{begin}, end_{end} {}
  [[nodiscard]] constexpr Iterator begin() const { return Iterator{begin_}; }
  [[nodiscard]] constexpr Iterator end() const { return Iterator{end_}; }
  [[nodiscard]] constexpr std::size_t size() const { return end_ - begin_; }

 private:
  std::size_t begin_ = 0;
  std::size_t end_;
};

// A table that only its own id can subscript.
template <class Key, class T>
class IdVector {
 public:
  using reference = typename std::vector<T>::reference;
  using const_reference = typename std::vector<T>::const_reference;

  IdVector() = default;
  explicit IdVector(std::size_t size, const T& value = T()) : rows_(size, value) {}
  IdVector(std::initializer_list<T> rows) : rows_(rows) {}

  [[nodiscard]] reference operator[](Key key) {
    assert(key.index() < rows_.size());
    return rows_[key.index()];
  }
  [[nodiscard]] const_reference operator[](Key key) const {
    assert(key.index() < rows_.size());
    return rows_[key.index()];
  }

  // Appends a row and returns its id.
  Key push_back(T row) {
    rows_.push_back(std::move(row));
    return Key{rows_.size() - 1};
  }
  void resize(std::size_t size, const T& value = T()) { rows_.resize(size, value); }
  void reserve(std::size_t size) { rows_.reserve(size); }
  void shrink_to_fit() { rows_.shrink_to_fit(); }
  void clear() { rows_.clear(); }

  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  [[nodiscard]] bool empty() const { return rows_.empty(); }
  [[nodiscard]] bool contains(Key key) const { return key.index() < rows_.size(); }
  [[nodiscard]] IdRange<Key> keys() const { return IdRange<Key>{rows_.size()}; }
  [[nodiscard]] const std::vector<T>& rows() const { return rows_; }

  [[nodiscard]] auto begin() { return rows_.begin(); }
  [[nodiscard]] auto end() { return rows_.end(); }
  [[nodiscard]] auto begin() const { return rows_.begin(); }
  [[nodiscard]] auto end() const { return rows_.end(); }
  friend bool operator==(const IdVector&, const IdVector&) = default;

 private:
  std::vector<T> rows_;
};

}  // namespace lockwood
