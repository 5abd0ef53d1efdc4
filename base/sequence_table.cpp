#include "base/sequence_table.hpp"

#include <algorithm>
#include <limits>

namespace lockwood {
namespace {

// Multiply and fold per word: the sequences are short, and neighbouring numbers must not get neighbouring slots.
std::uint32_t hash_of(std::span<const std::uint32_t> sequence) {
  std::uint64_t hash = 0x9E3779B97F4A7C15ULL ^ sequence.size();
  for (std::uint32_t word : sequence) {
    hash = (hash ^ word) * 0xD6E8FEB86659FD93ULL;
    hash ^= hash >> 32;
  }
  return static_cast<std::uint32_t>(hash);
}

}  // namespace

std::size_t SequenceTable::slot_of(std::span<const std::uint32_t> sequence, std::uint32_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash & mask;
  while (slots_[slot].number != 0 &&
         (slots_[slot].hash != hash || !std::ranges::equal((*this)[slots_[slot].number - 1], sequence)))
    slot = (slot + 1) & mask;
  return slot;
}

std::optional<std::uint32_t> SequenceTable::find(std::span<const std::uint32_t> sequence) const {
  const std::uint32_t number = slots_[slot_of(sequence, hash_of(sequence))].number;
  return number == 0 ? std::nullopt : std::optional{number - 1};
}

SequenceTable::Interned SequenceTable::intern(std::span<const std::uint32_t> sequence) {
  const std::uint32_t hash = hash_of(sequence);
  std::size_t slot = slot_of(sequence, hash);
  if (slots_[slot].number != 0) return {slots_[slot].number - 1, false};
  assert(size() < std::numeric_limits<std::uint32_t>::max() - 1);
  if (2 * (size() + 1) > slots_.size()) {
    grow();
    slot = slot_of(sequence, hash);
  }
  words_.insert(words_.end(), sequence.begin(), sequence.end());
  begins_.push_back(words_.size());
  slots_[slot] = {hash, static_cast<std::uint32_t>(size())};
  return {static_cast<std::uint32_t>(size() - 1), true};
}

void SequenceTable::grow() {
  std::vector<Slot> old(2 * slots_.size());
  old.swap(slots_);
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& occupied : old) {
    if (occupied.number == 0) continue;
    std::size_t slot = occupied.hash & mask;
    while (slots_[slot].number != 0) slot = (slot + 1) & mask;
    slots_[slot] = occupied;
  }
}

}  // namespace lockwood
