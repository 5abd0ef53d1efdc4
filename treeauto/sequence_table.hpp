#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

namespace lockwood::treeauto {

// Distinct sequences numbered in the order of their first appearance: sets as sorted sequences, tuples, signatures. One
// flat array and one table of slots. Invariant: slots_ is a power of two, at most half full, and each occupied slot
// holds 1 + the number of a sequence, found from its hash by linear probing.
template <class Element>
class SequenceTable {
 public:
  static_assert(std::is_trivially_copyable_v<Element> && sizeof(Element) == sizeof(std::uint32_t));

  [[nodiscard]] std::size_t size() const { return ends_.size(); }
  [[nodiscard]] std::span<const Element> operator[](std::size_t number) const {
    const std::size_t begin = number == 0 ? 0 : ends_[number - 1];
    return std::span{elements_}.subspan(begin, ends_[number] - begin);
  }

  // The number of the sequence, a new one if it was not there. The sequence must not lie in this table.
  std::uint32_t intern(std::span<const Element> sequence) {
    if (2 * (ends_.size() + 1) > slots_.size()) grow();
    const std::uint64_t hash = hash_of(sequence);
    const std::size_t slot = slot_of(sequence, hash);
    if (slots_[slot] == 0) {
      elements_.insert(elements_.end(), sequence.begin(), sequence.end());
      ends_.push_back(elements_.size());
      hashes_.push_back(hash);
      slots_[slot] = static_cast<std::uint32_t>(ends_.size());
    }
    return slots_[slot] - 1;
  }
  [[nodiscard]] std::optional<std::uint32_t> find(std::span<const Element> sequence) const {
    if (slots_.empty()) return std::nullopt;
    const std::uint32_t found = slots_[slot_of(sequence, hash_of(sequence))];
    return found == 0 ? std::nullopt : std::optional{found - 1};
  }

  void clear() {
    elements_.clear();
    ends_.clear();
    hashes_.clear();
    std::ranges::fill(slots_, 0);
  }

 private:
  [[nodiscard]] static std::uint64_t hash_of(std::span<const Element> sequence) {
    std::uint64_t hash = 0x243F6A8885A308D3ULL + sequence.size();
    for (const Element& element : sequence) {
      if constexpr (std::is_integral_v<Element>) {
        hash ^= element;
      } else {
        hash ^= element.index();
      }
      hash *= 0x9E3779B97F4A7C15ULL;
      hash ^= hash >> 32U;
    }
    return hash;
  }
  // The slot with the sequence, or the free one where it belongs.
  [[nodiscard]] std::size_t slot_of(std::span<const Element> sequence, std::uint64_t hash) const {
    std::size_t slot = hash & (slots_.size() - 1);
    while (slots_[slot] != 0) {
      const std::uint32_t number = slots_[slot] - 1;
      if (hashes_[number] == hash && std::ranges::equal((*this)[number], sequence)) break;
      slot = (slot + 1) & (slots_.size() - 1);
    }
    return slot;
  }
  void grow() {
    slots_.assign(slots_.empty() ? 16 : 2 * slots_.size(), 0);
    for (std::size_t number = 0; number < ends_.size(); ++number) {
      std::size_t slot = hashes_[number] & (slots_.size() - 1);
      while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = static_cast<std::uint32_t>(number + 1);
    }
  }

  std::vector<Element> elements_;
  std::vector<std::size_t> ends_;
  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint32_t> slots_;
};

}  // namespace lockwood::treeauto
