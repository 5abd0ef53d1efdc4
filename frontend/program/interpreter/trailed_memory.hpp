#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "frontend/program/ir/expression.hpp"

namespace lockwood::program {

// Words in several spaces, each of which can grow and shrink, with a trail: every change writes down what was there, so
// that going back costs as much as the changes did.
class TrailedMemory {
 public:
  using Space = std::size_t;

  [[nodiscard]] std::size_t spaces() const { return spaces_.size(); }
  void add_space() { spaces_.emplace_back(); }
  [[nodiscard]] std::span<const Integer> words(Space space) const { return spaces_[space]; }
  [[nodiscard]] Integer get(Space space, std::size_t index) const {
    assert(space < spaces_.size() && index < spaces_[space].size());
    return spaces_[space][index];
  }
  void set(Space space, std::size_t index, Integer value) {
    assert(space < spaces_.size() && index < spaces_[space].size());
    Integer& word = spaces_[space][index];
    trail_.push_back({static_cast<std::uint32_t>(space), static_cast<std::uint32_t>(index), word});
    word = value;
  }
  // New words are 0.
  void resize(Space space, std::size_t size) {
    std::vector<Integer>& words = spaces_[space];
    for (std::size_t index = words.size(); index > size; --index)
      trail_.push_back({static_cast<std::uint32_t>(space), static_cast<std::uint32_t>(index - 1), words[index - 1]});
    trail_.push_back({static_cast<std::uint32_t>(space), size_entry, static_cast<Integer>(words.size())});
    words.resize(size);
  }

  [[nodiscard]] std::size_t mark() const { return trail_.size(); }
  // `touched` is called with each space and index that changes back; size_entry stands for all of a space.
  template <class Touched>
  void undo(std::size_t mark, Touched touched) {
    assert(mark <= trail_.size());
    while (trail_.size() > mark) {
      const Entry entry = trail_.back();
      trail_.pop_back();
      if (entry.index == size_entry)
        spaces_[entry.space].resize(static_cast<std::size_t>(entry.old));
      else
        spaces_[entry.space][entry.index] = entry.old;
      touched(Space{entry.space}, entry.index);
    }
  }
  void forget_trail() { trail_.clear(); }
  // Without a trace in the trail.
  [[nodiscard]] std::vector<Integer>& raw(Space space) { return spaces_[space]; }

  static constexpr std::uint32_t size_entry = std::numeric_limits<std::uint32_t>::max();

 private:
  struct Entry {
    std::uint32_t space;
    std::uint32_t index;
    Integer old;
  };
  std::vector<std::vector<Integer>> spaces_;
  std::vector<Entry> trail_;
};

}  // namespace lockwood::program
