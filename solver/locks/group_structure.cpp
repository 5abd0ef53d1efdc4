#include "solver/locks/group_structure.hpp"

#include <algorithm>
#include <cassert>

namespace lockwood::solver {

using First = GroupStructure::First;
using Left = GroupStructure::Left;

const First* GroupStructure::first_of(Group group) const {
  const auto at = std::ranges::lower_bound(first, group, {}, &First::group);
  return at != first.end() && at->group == group ? &*at : nullptr;
}

std::size_t GroupStructure::hash() const {
  std::size_t hash = mixed(left.size(), first.size());
  for (const Left& each : left) {
    hash = mixed(mixed(hash, each.group.index()), each.last_end);
    for (const LockSet& locks : each.uses) hash = mixed(hash, locks.hash());
  }
  for (const First& each : first)
    hash = mixed(mixed(mixed(hash, each.group.index()), each.joined ? *each.joined + 1 : 0), each.released.hash());
  return mixed(mixed(hash, returned), offspring_end ? *offspring_end + std::uint64_t{1} : 0);
}

// What members did before the own thread returned constrains nobody any more, nor does it matter when they ended
// before; nobody who stands will ever join. Whoever waits for the own thread waits until it has returned, so offspring
// that has ended by then makes no difference, and if it never ends, no offspring does.
void GroupStructure::normalise(std::optional<PhaseIndex> own_return) {
  if (offspring_end && *offspring_end <= end_in(own_return)) offspring_end.reset();
  if (!own_return) {
    left.clear();
    returned = 0;
    return;
  }
  for (Left& each : left) {
    each.last_end = std::max(each.last_end, static_cast<EndPhase>(*own_return));
    for (PhaseIndex i = 0; i < *own_return; ++i) each.uses[i] = LockSet{};
  }
  std::erase_if(left, [&](const Left& each) {
    return each.last_end <= *own_return &&
           std::ranges::all_of(each.uses, [](const LockSet& set) { return set.empty(); });
  });
  returned = left.empty() ? 0 : *own_return;
}

void GroupStructure::check_invariants(PhaseIndex phases) const {
#ifndef NDEBUG
  assert(left.empty() ? returned == 0 : returned < phases);
  for (std::size_t i = 0; i < left.size(); ++i) {
    assert(i == 0 || left[i - 1].group < left[i].group);
    assert(left[i].uses.size() == phases);
    assert(left[i].last_end >= returned && (left[i].last_end < phases || left[i].last_end == never));
    for (PhaseIndex before = 0; before < returned; ++before) assert(left[i].uses[before].empty());
  }
  for (std::size_t i = 0; i < first.size(); ++i) {
    assert(i == 0 || first[i - 1].group < first[i].group);
    assert(first[i].joined ? *first[i].joined < phases : first[i].released.empty());
  }
  assert(!offspring_end || *offspring_end < phases || *offspring_end == never);
#else
  (void)phases;
#endif
}

std::vector<Left> left_of_both(const std::vector<Left>& a, const std::vector<Left>& b) {
  std::vector<Left> both = a;
  for (const Left& other : b) {
    const auto at = std::ranges::lower_bound(both, other.group, {}, &Left::group);
    if (at == both.end() || at->group != other.group) {
      both.insert(at, other);
      continue;
    }
    assert(at->uses.size() == other.uses.size());
    at->last_end = std::max(at->last_end, other.last_end);
    for (PhaseIndex i = 0; i < other.uses.size(); ++i) at->uses[i].insert(other.uses[i]);
  }
  return both;
}

namespace {

// What happens first to a group: nothing is given if nothing happens.
bool subsumes(const First* smaller, const First* larger) {
  if (smaller != nullptr && !smaller->joined) return true;  // forgotten: nobody waits
  if (smaller == nullptr) return larger == nullptr || larger->joined;
  if (larger == nullptr || !larger->joined) return false;
  if (*smaller->joined != *larger->joined) return *smaller->joined > *larger->joined;  // waits longer
  return smaller->released.subset_of(larger->released);
}

}  // namespace

bool subsumes(const GroupStructure& smaller, const GroupStructure& larger, const LockSet& larger_own_uses) {
  if (smaller.offspring_end && (!larger.offspring_end || *smaller.offspring_end > *larger.offspring_end)) return false;
  for (const First& each : smaller.first)
    if (!subsumes(&each, larger.first_of(each.group))) return false;
  for (const First& each : larger.first)
    if (smaller.first_of(each.group) == nullptr && !subsumes(nullptr, &each)) return false;

  const LockSet none;
  for (const Left& each : smaller.left) {
    const PhaseIndex returned = smaller.returned;
    const auto at = std::ranges::lower_bound(larger.left, each.group, {}, &Left::group);
    const Left* other = at != larger.left.end() && at->group == each.group ? &*at : nullptr;
    assert(other == nullptr || larger.returned == returned);
    if (each.last_end > std::max(other == nullptr ? 0 : other->last_end, static_cast<EndPhase>(returned))) return false;
    for (PhaseIndex i = returned; i < each.uses.size(); ++i) {
      LockSet allowed = other == nullptr ? none : other->uses[i];
      if (i == returned) allowed.insert(larger_own_uses);
      if (!each.uses[i].subset_of(allowed)) return false;
    }
  }
  return true;
}

}  // namespace lockwood::solver
