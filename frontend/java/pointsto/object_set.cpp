#include "frontend/java/pointsto/object_set.hpp"

#include <algorithm>
#include <cassert>

namespace lockwood::java {

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
    while (mine < blocks_.size() && blocks_[mine].index < block.index) ++mine;
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
  bool missing = false;
  for (const BitBlock& block : other.blocks_) {
    while (mine < blocks_.size() && blocks_[mine].index < block.index) ++mine;
    if (mine == blocks_.size() || blocks_[mine].index != block.index) {
      missing = true;
      break;
    }
    blocks_[mine].bits |= block.bits;
  }
  if (!missing) return;
  std::vector<BitBlock> merged;
  merged.reserve(blocks_.size() + other.blocks_.size());
  auto left = blocks_.begin();
  auto right = other.blocks_.begin();
  while (left != blocks_.end() || right != other.blocks_.end()) {
    if (right == other.blocks_.end() || (left != blocks_.end() && left->index < right->index)) {
      merged.push_back(*left++);
    } else if (left == blocks_.end() || right->index < left->index) {
      merged.push_back(*right++);
    } else {
      merged.push_back({left->bits | right->bits, left->index});
      ++left;
      ++right;
    }
  }
  blocks_ = std::move(merged);
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
  auto right = other.blocks_.begin();
  for (const BitBlock& block : blocks_) {
    while (right != other.blocks_.end() && right->index < block.index) ++right;
    if (right == other.blocks_.end()) return false;
    if (right->index == block.index && (right->bits & block.bits) != 0) return true;
  }
  return false;
}

std::vector<ObjectId> ObjectSet::list() const {
  std::vector<ObjectId> objects;
  for_each([&](ObjectId object) { objects.push_back(object); });
  return objects;
}

}  // namespace lockwood::java
