#include "explorer/store/exact_store.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace lockwood::explorer {
namespace {

// The height of the tree: 1 for two components.
std::size_t height_of(std::span<const std::uint32_t> components) {
  std::size_t used = components.size();
  while (used > 0 && components[used - 1] == 0) --used;
  return std::max<std::size_t>(1, static_cast<std::size_t>(std::bit_width(used - (used > 0 ? 1 : 0))));
}

}  // namespace

Inserted ExactStore::insert(std::span<const std::uint32_t> components) {
  const std::size_t height = height_of(components);
  assert(height < max_height);
  if (levels_.size() == height)
    update(components);
  else
    rebuild(components, height);
  assert(levels_.back().size() == 2);
  const auto [root, is_new] = roots_[height].intern(levels_.back()[0], levels_.back()[1]);
  if (is_new) {
    if (root >= (1U << 27U)) throw std::length_error{"too many states for this store"};
    numbers_[height].emplace_back(states_.size());
    states_.push_back({static_cast<std::uint32_t>(height) & 31U, root & 0x7FFFFFFU});
  }
  assert(numbers_[height].size() == roots_[height].size());
  return {numbers_[height][root], is_new};
}

void ExactStore::rebuild(std::span<const std::uint32_t> components, std::size_t height) {
  levels_.assign(height, {});
  const std::size_t width = std::size_t{1} << height;
  levels_[0].assign(width, 0);
  std::copy_n(components.begin(), std::min(width, components.size()), levels_[0].begin());
  for (std::size_t level = 1; level < height; ++level) {
    const std::vector<std::uint32_t>& below = levels_[level - 1];
    levels_[level].resize(below.size() / 2);
    for (std::size_t i = 0; i < levels_[level].size(); ++i)
      levels_[level][i] = pairs_.intern(below[2 * i], below[2 * i + 1]).number;
  }
}

void ExactStore::update(std::span<const std::uint32_t> components) {
  std::vector<std::uint32_t>& leaves = levels_[0];
  changed_.clear();
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const std::uint32_t component = i < components.size() ? components[i] : 0;
    if (leaves[i] == component) continue;
    leaves[i] = component;
    if (changed_.empty() || changed_.back() != i / 2) changed_.push_back(static_cast<std::uint32_t>(i / 2));
  }
  for (std::size_t level = 1; level < levels_.size(); ++level) {
    const std::vector<std::uint32_t>& below = levels_[level - 1];
    std::size_t kept = 0;  // of changed_, which is rewritten for the next level while it is read
    for (std::size_t next = 0; next < changed_.size(); ++next) {
      const std::uint32_t i = changed_[next];
      levels_[level][i] = pairs_.intern(below[2 * std::size_t{i}], below[2 * std::size_t{i} + 1]).number;
      if (kept == 0 || changed_[kept - 1] != i / 2) changed_[kept++] = i / 2;
    }
    changed_.resize(kept);
  }
}

void ExactStore::components_of(StateNumber state, std::vector<std::uint32_t>& components) const {
  assert(state.index() < states_.size());
  const auto [height, root] = states_[state.index()];
  // Unfolded in place, from the right: pair i becomes the components 2i and 2i + 1.
  components.resize(std::size_t{1} << height);
  components[0] = roots_[height].left(root);
  components[1] = roots_[height].right(root);
  for (std::size_t width = 2; width < components.size(); width *= 2) {
    for (std::size_t i = width; i-- > 0;) {
      const std::uint32_t pair = components[i];
      components[2 * i + 1] = pairs_.right(pair);
      components[2 * i] = pairs_.left(pair);
    }
  }
}

std::size_t ExactStore::bytes() const {
  std::size_t bytes = pairs_.bytes() + states_.capacity() * sizeof(State);
  for (std::size_t height = 0; height < max_height; ++height)
    bytes += roots_[height].bytes() + numbers_[height].capacity() * sizeof(StateNumber);
  return bytes;
}

}  // namespace lockwood::explorer
