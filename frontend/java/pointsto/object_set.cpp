#include "frontend/java/pointsto/object_set.hpp"

#include <algorithm>
#include <cassert>

namespace lockwood::java {

// The first block from there on with this index or a greater one. Looks farther and farther ahead, since one of two
// sets often has a few blocks and the other one thousands.
std::size_t ObjectSet::next_block(std::size_t from, std::uint32_t index) const {
  std::size_t below = from;  // all blocks before it have smaller indices
  std::size_t step = 1;
  while (below + step <= blocks_.size() && blocks_[below + step - 1].index < index) {
    below += step;
    step *= 2;
  }
  const auto begin = blocks_.begin() + static_cast<std::ptrdiff_t>(below);
  const auto end = blocks_.begin() + static_cast<std::ptrdiff_t>(std::min(below + step, blocks_.size()));
  return static_cast<std::size_t>(std::ranges::lower_bound(begin, end, index, {}, &BitBlock::index) - blocks_.begin());
}

void ObjectSet::check_invariants() const {
  assert(std::ranges::is_sorted(blocks_, std::ranges::less_equal{}, &BitBlock::index) || blocks_.size() < 2);
  assert(std::ranges::all_of(blocks_, [](const BitBlock& block) { return block.bits != 0; }));
}

std::size_t ObjectSet::size() const {
  std::size_t count = 0;
  for (const BitBlock& block : blocks_) count += static_cast<std::size_t>(std::popcount(block.bits));
  return count;
}

bool ObjectSet::contains(ObjectId object) const {
  const auto index = static_cast<std::uint32_t>(object.index() / 64);
  const auto found = std::ranges::lower_bound(blocks_, index, {}, &BitBlock::index);
  return found != blocks_.end() && found->index == index && (found->bits >> (object.index() % 64) & 1U) != 0;
}

bool ObjectSet::insert(ObjectId object) {
  const auto index = static_cast<std::uint32_t>(object.index() / 64);
  const std::uint64_t bit = std::uint64_t{1} << (object.index() % 64);
  const auto found = std::ranges::lower_bound(blocks_, index, {}, &BitBlock::index);
  if (found == blocks_.end() || found->index != index) {
    blocks_.insert(found, {bit, index});
    return true;
  }
  const bool is_new = (found->bits & bit) == 0;
  found->bits |= bit;
  return is_new;
}

void ObjectSet::unite(const ObjectSet& other, ObjectSet& news) {
  // First what is new, so that the common case, nothing, moves no block.
  std::size_t mine = 0;
  ObjectSet added;
  for (const BitBlock& block : other.blocks_) {
    mine = next_block(mine, block.index);
    const std::uint64_t known = mine < blocks_.size() && blocks_[mine].index == block.index ? blocks_[mine].bits : 0;
    if (const std::uint64_t fresh = block.bits & ~known; fresh != 0) added.blocks_.push_back({fresh, block.index});
  }
  if (added.empty()) return;
  unite(added);
  news.unite(added);
}

void ObjectSet::unite(const ObjectSet& other) {
  if (other.empty()) return;
  if (empty()) {
    blocks_ = other.blocks_;
    return;
  }
  // In place if no block is missing.
  std::size_t mine = 0;
  std::size_t missing = 0;
  for (const BitBlock& block : other.blocks_) {
    mine = next_block(mine, block.index);
    if (mine < blocks_.size() && blocks_[mine].index == block.index)
      blocks_[mine].bits |= block.bits;
    else
      ++missing;
  }
  if (missing == 0) return;
  // From the end, so that each block moves once.
  std::size_t left = blocks_.size();
  std::size_t right = other.blocks_.size();
  blocks_.resize(blocks_.size() + missing);
  for (std::size_t to = blocks_.size(); to > left;) {
    const BitBlock& theirs = other.blocks_[right - 1];
    if (left > 0 && blocks_[left - 1].index >= theirs.index) {
      if (blocks_[left - 1].index == theirs.index) --right;  // it has these bits already
      blocks_[--to] = blocks_[--left];
    } else {
      blocks_[--to] = theirs;
      --right;
    }
  }
  check_invariants();
}

void ObjectSet::remove_all(const ObjectSet& other) {
  auto right = other.blocks_.begin();
  for (BitBlock& block : blocks_) {
    while (right != other.blocks_.end() && right->index < block.index) ++right;
    if (right != other.blocks_.end() && right->index == block.index) block.bits &= ~right->bits;
  }
  std::erase_if(blocks_, [](const BitBlock& block) { return block.bits == 0; });
  check_invariants();
}

ObjectSet ObjectSet::masked(const std::vector<std::uint64_t>& mask) const {
  ObjectSet kept;
  for (const BitBlock& block : blocks_) {
    if (block.index >= mask.size()) break;
    if (const std::uint64_t bits = block.bits & mask[block.index]; bits != 0)
      kept.blocks_.push_back({bits, block.index});
  }
  return kept;
}

bool ObjectSet::intersects(const ObjectSet& other) const {
  std::size_t theirs = 0;
  for (const BitBlock& block : blocks_) {
    theirs = other.next_block(theirs, block.index);
    if (theirs == other.blocks_.size()) return false;
    if (other.blocks_[theirs].index == block.index && (other.blocks_[theirs].bits & block.bits) != 0) return true;
  }
  return false;
}

std::vector<ObjectId> ObjectSet::list() const {
  std::vector<ObjectId> objects;
  for_each([&](ObjectId object) { objects.push_back(object); });
  return objects;
}

}  // namespace lockwood::java
