#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

namespace lockwood {

// Distinct sequences of words or ids, numbered in the order of their first appearance: the set of visited states of a
// search, sets as sorted sequences, hash-consing of small records. All elements lie in one buffer; a sequence costs its
// elements and about 24 bytes. Invariant: slots_ is empty or a power of two, at most half full; an occupied slot holds
// 1 + the number of a sequence and the low half of its hash, and is found from the hash by linear probing. At most
// 2³² - 2 sequences.
template <class Element = std::uint32_t>
class SequenceTable {
 public:
  static_assert(std::is_trivially_copyable_v<Element> && sizeof(Element) == sizeof(std::uint32_t));
  struct Interned {
    std::uint32_t number;
    bool is_new;
  };

  [[nodiscard]] std::size_t size() const { return ends_.size(); }
  [[nodiscard]] std::span<const Element> operator[](std::size_t number) const {
    assert(number < size());
    const std::size_t begin = number == 0 ? 0 : ends_[number - 1];
    return std::span{elements_}.subspan(begin, ends_[number] - begin);
  }
  [[nodiscard]] bool contains(std::span<const Element> sequence) const { return find(sequence).has_value(); }
  [[nodiscard]] std::optional<std::uint32_t> find(std::span<const Element> sequence) const {
    if (slots_.empty()) return std::nullopt;
    const std::uint32_t number = slots_[slot_of(sequence, hash_of(sequence))].number;
    return number == 0 ? std::nullopt : std::optional{number - 1};
  }

  // The number of the sequence, a new one if it was not there. The sequence must not lie in this table: it may move.
  Interned intern(std::span<const Element> sequence) {
    if (2 * (size() + 1) > slots_.size()) grow();
    const std::uint32_t hash = hash_of(sequence);
    Slot& slot = slots_[slot_of(sequence, hash)];
    if (slot.number != 0) return {slot.number - 1, false};
    assert(size() < std::numeric_limits<std::uint32_t>::max() - 1);
    elements_.insert(elements_.end(), sequence.begin(), sequence.end());
    ends_.push_back(elements_.size());
    slot = {hash, static_cast<std::uint32_t>(size())};
    return {slot.number - 1, true};
  }

  void clear() {
    elements_.clear();
    ends_.clear();
    std::ranges::fill(slots_, Slot{});
  }

 private:
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t number = 0;  // plus 1; 0 is a free slot
  };

  // Multiply and fold per element: the sequences are short, and neighbouring numbers must not get neighbouring slots.
  [[nodiscard]] static std::uint32_t hash_of(std::span<const Element> sequence) {
    std::uint64_t hash = 0x9E3779B97F4A7C15ULL ^ sequence.size();
    for (const Element& element : sequence) {
      if constexpr (std::is_integral_v<Element>) {
        hash ^= element;
      } else {
        hash ^= element.index();
      }
      hash *= 0xD6E8FEB86659FD93ULL;
      hash ^= hash >> 32U;
    }
    return static_cast<std::uint32_t>(hash);
  }

  // The slot with the sequence, or the free one where it belongs.
  [[nodiscard]] std::size_t slot_of(std::span<const Element> sequence, std::uint32_t hash) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = hash & mask;
    while (slots_[slot].number != 0 &&
           (slots_[slot].hash != hash || !std::ranges::equal((*this)[slots_[slot].number - 1], sequence)))
      slot = (slot + 1) & mask;
    return slot;
  }

  void grow() {
    std::vector<Slot> old(std::max<std::size_t>(16, 2 * slots_.size()));
    old.swap(slots_);
    const std::size_t mask = slots_.size() - 1;
    for (const Slot& occupied : old) {
      if (occupied.number == 0) continue;
      std::size_t slot = occupied.hash & mask;
      while (slots_[slot].number != 0) slot = (slot + 1) & mask;
      slots_[slot] = occupied;
    }
  }

  std::vector<Element> elements_;
  std::vector<std::size_t> ends_;
  std::vector<Slot> slots_;
};

}  // namespace lockwood
