#include "solver/locks/lock_set.hpp"

#include <algorithm>

namespace lockwood::solver {

void LockSet::insert(Lock lock) {
  if (lock.index() < 64) {
    first_ |= bit_of(lock);
    return;
  }
  if (further_.size() <= place_of(lock)) further_.resize(place_of(lock) + 1, 0);
  further_[place_of(lock)] |= bit_of(lock);
  check_invariants();
}

void LockSet::insert(const LockSet& other) {
  first_ |= other.first_;
  if (further_.size() < other.further_.size()) further_.resize(other.further_.size(), 0);
  for (std::size_t i = 0; i < other.further_.size(); ++i) further_[i] |= other.further_[i];
  check_invariants();
  assert(other.subset_of(*this));
}

bool LockSet::intersects(const LockSet& other) const {
  if ((first_ & other.first_) != 0) return true;
  const std::size_t common = std::min(further_.size(), other.further_.size());
  for (std::size_t i = 0; i < common; ++i)
    if ((further_[i] & other.further_[i]) != 0) return true;
  return false;
}

bool LockSet::subset_of(const LockSet& other) const {
  if ((first_ & ~other.first_) != 0 || further_.size() > other.further_.size()) return false;
  for (std::size_t i = 0; i < further_.size(); ++i)
    if ((further_[i] & ~other.further_[i]) != 0) return false;
  return true;
}

std::size_t LockSet::size() const {
  auto count = static_cast<std::size_t>(std::popcount(first_));
  for (std::uint64_t word : further_) count += static_cast<std::size_t>(std::popcount(word));
  return count;
}

std::size_t LockSet::hash() const {
  std::size_t hash = mixed(further_.size(), first_);
  for (std::uint64_t word : further_) hash = mixed(hash, word);
  return hash;
}

}  // namespace lockwood::solver
