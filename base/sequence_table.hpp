#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace lockwood {

// Distinct sequences of words, numbered in the order of their first appearance: the set of visited states of a search,
// or hash-consing of small records. All words lie in one buffer; a sequence costs its words and about 24 bytes.
// Invariant: slots_ is a power of two, at most half full; an occupied slot holds 1 + the number of a sequence and the
// low half of its hash, and is found from the hash by linear probing. At most 2³² - 2 sequences.
class SequenceTable {
 public:
  struct Interned {
    std::uint32_t number;
    bool is_new;
  };

  [[nodiscard]] std::size_t size() const { return begins_.size() - 1; }
  [[nodiscard]] std::span<const std::uint32_t> operator[](std::size_t number) const {
    assert(number < size());
    return std::span{words_}.subspan(begins_[number], begins_[number + 1] - begins_[number]);
  }
  [[nodiscard]] bool contains(std::span<const std::uint32_t> sequence) const { return find(sequence).has_value(); }
  [[nodiscard]] std::optional<std::uint32_t> find(std::span<const std::uint32_t> sequence) const;

  // The number of the sequence, a new one if it was not there. The sequence must not lie in this table: it may move.
  Interned intern(std::span<const std::uint32_t> sequence);

 private:
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t number = 0;  // plus 1; 0 is a free slot
  };
  [[nodiscard]] std::size_t slot_of(std::span<const std::uint32_t> sequence, std::uint32_t hash) const;
  void grow();

  std::vector<std::uint32_t> words_;
  std::vector<std::uint64_t> begins_{0};  // and the end of the last one
  std::vector<Slot> slots_ = std::vector<Slot>(16);
};

}  // namespace lockwood
