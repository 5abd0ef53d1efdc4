#include "explorer/store/lossy_store.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace lockwood::explorer {
namespace {

std::uint64_t mixed(std::uint64_t word) {
  word ^= word >> 30U;
  word *= 0xBF58476D1CE4E5B9ULL;
  word ^= word >> 27U;
  word *= 0x94D049BB133111EBULL;
  return word ^ (word >> 31U);
}

// 0 for a component 0 at any position.
std::uint64_t mixed(std::size_t position, std::uint32_t component, std::uint64_t lane) {
  if (component == 0) return 0;
  return mixed((std::uint64_t{component} << 32U | position) + lane);
}

constexpr std::array<std::uint64_t, 2> lanes{0x9E3779B97F4A7C15ULL, 0xC2B2AE3D27D4EB4FULL};

}  // namespace

VectorHash::Value VectorHash::update(std::span<const std::uint32_t> components) {
  if (last_.size() < components.size()) last_.resize(components.size());
  for (std::size_t i = 0; i < last_.size(); ++i) {
    const std::uint32_t component = i < components.size() ? components[i] : 0;
    if (last_[i] == component) continue;
    for (std::size_t lane = 0; lane < 2; ++lane)
      hash_[lane] += mixed(i, component, lanes[lane]) - mixed(i, last_[i], lanes[lane]);
    last_[i] = component;
  }
  return hash_;
}

bool HashStore::insert(std::span<const std::uint32_t> components) {
  const std::size_t words = this->words();
  if (4 * (size_ + 1) * words > 3 * slots_.size()) grow();
  VectorHash::Value hash = hash_.update(components);
  if (hash[0] == 0) hash[0] = 1;  // 0 marks free slots
  const std::size_t mask = slots_.size() / words - 1;
  std::size_t slot = mixed(hash[0]) & mask;
  while (slots_[slot * words] != 0) {
    if (slots_[slot * words] == hash[0] && (words == 1 || slots_[slot * words + 1] == hash[1])) return false;
    slot = (slot + 1) & mask;
  }
  std::copy_n(hash.begin(), words, slots_.begin() + static_cast<std::ptrdiff_t>(slot * words));
  ++size_;
  return true;
}

void HashStore::grow() {
  const std::size_t words = this->words();
  std::vector<std::uint64_t> old(slots_.empty() ? 16 * words : 2 * slots_.size());
  old.swap(slots_);
  const std::size_t mask = slots_.size() / words - 1;
  for (std::size_t i = 0; i < old.size(); i += words) {
    if (old[i] == 0) continue;
    std::size_t slot = mixed(old[i]) & mask;
    while (slots_[slot * words] != 0) slot = (slot + 1) & mask;
    std::copy_n(old.begin() + static_cast<std::ptrdiff_t>(i), words,
                slots_.begin() + static_cast<std::ptrdiff_t>(slot * words));
  }
}

double HashStore::omission_probability() const {
  const auto states = static_cast<double>(size_);
  return std::min(1.0, std::ldexp(states * states / 2, width_ == Width::Bits64 ? -64 : -128));
}

bool BitStore::insert(std::span<const std::uint32_t> components) {
  assert(!bits_.empty());
  const VectorHash::Value hash = hash_.update(components);
  bool is_new = false;
  for (std::size_t i = 0; i < bits_of_state; ++i) {
    // Double hashing: the second lane is the stride.
    const std::uint64_t bit = (mixed(hash[0]) + i * (mixed(hash[1]) | 1U)) % (bits_.size() * 64);
    const std::uint64_t mask = std::uint64_t{1} << (bit % 64);
    if ((bits_[bit / 64] & mask) != 0) continue;
    bits_[bit / 64] |= mask;
    ++set_;
    is_new = true;
  }
  size_ += is_new ? 1U : 0U;
  return is_new;
}

double BitStore::omission_probability() const {
  const double full = static_cast<double>(set_) / static_cast<double>(bits_.size() * 64);
  return std::pow(full, static_cast<double>(bits_of_state));
}

}  // namespace lockwood::explorer
