#include "solver/locks/lock_structure.hpp"

#include <algorithm>
#include <cassert>

namespace lockwood::solver {

LockSet& LockOrder::row_of(Lock lock) {
  const auto at = std::ranges::lower_bound(rows_, lock, {}, &Row::lock);
  if (at != rows_.end() && at->lock == lock) return at->related;
  return rows_.insert(at, Row{lock, {}})->related;
}

// Warshall's algorithm; locks without a row lead nowhere.
bool LockOrder::close() {
  for (const Row& through : rows_)
    for (Row& row : rows_)
      if (row.related.contains(through.lock)) row.related.insert(through.related);
  return std::ranges::none_of(rows_, [](const Row& row) { return row.related.contains(row.lock); });
}

bool LockOrder::relate(Lock lock, const LockSet& related) {
  if (related.empty()) return true;
  row_of(lock).insert(related);
  if (!close()) return false;
  check_invariants();
  return true;
}

bool LockOrder::relate(const LockOrder& other) {
  if (other.rows_.empty()) return true;
  for (const Row& row : other.rows_) row_of(row.lock).insert(row.related);
  if (!close()) return false;
  check_invariants();
  assert(other.subset_of(*this));
  return true;
}

void LockOrder::check_invariants() const {
#ifndef NDEBUG
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    assert(i == 0 || rows_[i - 1].lock < rows_[i].lock);
    assert(!rows_[i].related.empty());
    assert(!rows_[i].related.contains(rows_[i].lock));
    for (const Row& next : rows_)
      assert(!rows_[i].related.contains(next.lock) || next.related.subset_of(rows_[i].related));
  }
#endif
}

bool LockOrder::subset_of(const LockOrder& other) const {
  auto at = other.rows_.begin();
  for (const Row& row : rows_) {
    while (at != other.rows_.end() && at->lock < row.lock) ++at;
    if (at == other.rows_.end() || at->lock != row.lock || !row.related.subset_of(at->related)) return false;
  }
  return true;
}

std::size_t LockOrder::hash() const {
  std::size_t hash = rows_.size();
  for (const Row& row : rows_) hash = mixed(mixed(hash, row.lock.index()), row.related.hash());
  return hash;
}

std::size_t LockStructure::hash() const {
  std::size_t hash = own_uses.hash();
  for (const PhaseLocks& phase : phases) {
    hash = mixed(hash, phase.acquired.hash());
    hash = mixed(hash, phase.used.hash());
    hash = mixed(hash, phase.held.hash());
    hash = mixed(hash, phase.acquisition.hash());
    hash = mixed(hash, phase.release.hash());
  }
  return groups.empty() ? hash : mixed(hash, groups.hash());
}

void LockStructure::check_invariants() const {
#ifndef NDEBUG
  LockSet used;
  for (const PhaseLocks& phase : phases) {
    assert(phase.acquired.subset_of(phase.used));
    assert(!phase.held.intersects(phase.used));
    phase.acquisition.check_invariants();
    phase.release.check_invariants();
    used.insert(phase.used);
  }
  assert(own_uses.subset_of(used));
  groups.check_invariants(phases.size());
#endif
}

bool subsumes(const LockStructure& smaller, const LockStructure& larger) {
  assert(smaller.phases.size() == larger.phases.size());
  if (!smaller.own_uses.subset_of(larger.own_uses)) return false;
  for (PhaseIndex i = 0; i < smaller.phases.size(); ++i) {
    const PhaseLocks& a = smaller.phases[i];
    const PhaseLocks& b = larger.phases[i];
    if (!a.acquired.subset_of(b.acquired) || !a.used.subset_of(b.used) || !a.held.subset_of(b.held)) return false;
    if (!a.acquisition.subset_of(b.acquisition) || !a.release.subset_of(b.release)) return false;
  }
  if (smaller.groups.empty() && larger.groups.empty()) return true;
  return subsumes(smaller.groups, larger.groups, larger.own_uses);
}

namespace {

// What the right tree does to the members that the left one leaves behind (docs/theory.md, Sect. 10.5, "l ; r"). False
// if that is impossible.
bool sequence_groups(const GroupStructure& left, const GroupStructure& right, std::optional<PhaseIndex> returned,
                     LockStructure& joined) {
  GroupStructure both = left;
  both.left.clear();
  for (const GroupStructure::First& next : right.first)
    if (left.first_of(next.group) == nullptr) both.first.push_back(next);
  std::ranges::sort(both.first, {}, &GroupStructure::First::group);
  if (right.offspring_end) both.offspring_end = std::max(both.offspring_end.value_or(0), *right.offspring_end);
  for (const GroupStructure::Left& members : left.left) {
    const GroupStructure::First* next = right.first_of(members.group);
    if (next == nullptr) {
      both.left.push_back(members);
      continue;
    }
    if (!next->joined) continue;  // forgotten
    const PhaseIndex phase = *next->joined;
    assert(phase >= left.returned && phase < joined.phases.size());
    if (members.last_end > phase) return false;  // not ended by then
    const LockSet& used = members.uses[phase];
    // What was held when the phase began, and is released in it only after the join, is held while the members run.
    bool acyclic = true;
    next->released.for_each([&](Lock lock) { acyclic = acyclic && joined.phases[phase].release.relate(lock, used); });
    if (!acyclic) return false;
    if (returned == phase) joined.own_uses.insert(used);
  }
  both.left = left_of_both(both.left, right.left);
  both.normalise(returned);
  joined.groups = std::move(both);
  return true;
}

}  // namespace

std::optional<LockStructure> join(const LockStructure& left, const LockStructure& right, OwnUses own_uses,
                                  std::optional<PhaseIndex> right_returned) {
  assert(left.phases.size() == right.phases.size());
  LockStructure joined = right;
  if (own_uses == OwnUses::OfBoth) joined.own_uses.insert(left.own_uses);
  for (PhaseIndex i = 0; i < joined.phases.size(); ++i) {
    const PhaseLocks& other = left.phases[i];
    PhaseLocks& phase = joined.phases[i];
    if (phase.acquired.intersects(other.acquired)) return std::nullopt;  // nobody could release it for the other
    phase.acquired.insert(other.acquired);
    phase.used.insert(other.used);
    phase.held.insert(other.held);
    if (phase.held.intersects(phase.used)) return std::nullopt;
    if (!phase.acquisition.relate(other.acquisition) || !phase.release.relate(other.release)) return std::nullopt;
  }
  if (!left.groups.empty() && !sequence_groups(left.groups, right.groups, right_returned, joined)) return std::nullopt;
  return joined;
}

std::optional<LockStructure> monitor(Lock lock, PhaseIndex entered, std::optional<PhaseIndex> returned,
                                     const LockStructure& body) {
  assert(entered < body.phases.size());
  assert(!returned || (entered <= *returned && *returned < body.phases.size()));
  LockStructure around = body;
  PhaseLocks& phase = around.phases[entered];
  if (phase.held.contains(lock)) return std::nullopt;
  if (returned == entered) {
    // Its own uses of the lock would be reentrant. So a member used it that was started and joined in the region.
    if (around.own_uses.contains(lock)) return std::nullopt;
    phase.used.insert(lock);
    around.own_uses.insert(lock);
    return around;
  }
  if (phase.acquired.contains(lock)) return std::nullopt;
  if (!phase.acquisition.relate(lock, body.phases[entered].used)) return std::nullopt;
  phase.acquired.insert(lock);
  phase.used.insert(lock);
  for (PhaseIndex i = entered + 1; i < returned.value_or(around.phases.size()); ++i) {
    if (around.phases[i].used.contains(lock)) return std::nullopt;
    around.phases[i].held.insert(lock);
  }
  if (returned && !around.phases[*returned].release.relate(lock, body.own_uses)) return std::nullopt;
  if (returned)
    for (GroupStructure::First& first : around.groups.first)
      if (first.joined == returned) first.released.insert(lock);
  return around;
}

LockStructure as_thread(const LockStructure& thread, std::optional<PhaseIndex> end, bool offspring) {
  LockStructure seen{.own_uses = {}, .phases = thread.phases, .groups = {}};
  if (offspring) seen.groups.offspring_end = std::max(end_in(end), thread.groups.offspring_end.value_or(0));
  return seen;
}

LockStructure fork(const LockStructure& thread, std::optional<PhaseIndex> end, bool offspring, PhaseIndex phase,
                   std::span<const dpn::Membership> memberships) {
  assert(phase < thread.phases.size() && (!end || (phase <= *end && *end < thread.phases.size())));
  LockStructure started = as_thread(thread, end, offspring);
  GroupStructure& groups = started.groups;
  for (const dpn::Membership& membership : memberships) {
    assert(groups.left.empty() || groups.left.back().group < membership.group);
    GroupStructure::Left members{membership.group, end_in(end), std::vector<LockSet>(thread.phases.size())};
    if (membership.all) {
      assert(offspring);
      members.last_end = *groups.offspring_end;
      for (PhaseIndex i = phase; i < members.uses.size(); ++i) members.uses[i] = thread.phases[i].used;
    } else if (end) {
      members.uses[*end] = thread.own_uses;
    }
    groups.left.push_back(std::move(members));
    if (membership.replace) groups.first.push_back({membership.group, std::nullopt, {}});
  }
  groups.normalise(phase);
  return started;
}

namespace {

LockStructure with_first(const LockStructure& rest, std::optional<PhaseIndex> joined, std::span<const Group> changed) {
  LockStructure result = rest;
  std::vector<GroupStructure::First>& first = result.groups.first;
  for (Group group : changed) {
    const auto at = std::ranges::lower_bound(first, group, {}, &GroupStructure::First::group);
    const GroupStructure::First now{group, joined, {}};
    if (at != first.end() && at->group == group)
      *at = now;
    else
      first.insert(at, now);
  }
  return result;
}

}  // namespace

LockStructure join_groups(const LockStructure& rest, PhaseIndex phase, std::span<const Group> groups) {
  assert(phase < rest.phases.size());
  return with_first(rest, phase, groups);
}

LockStructure forget_groups(const LockStructure& rest, std::span<const Group> groups) {
  return with_first(rest, std::nullopt, groups);
}

LockStructure open_groups(const LockStructure& body, std::span<const Group> groups) {
  LockStructure result = body;
  const auto opened = [&](const auto& each) { return std::ranges::count(groups, each.group) > 0; };
  std::erase_if(result.groups.left, opened);
  std::erase_if(result.groups.first, opened);
  if (result.groups.left.empty()) result.groups.returned = 0;
  return result;
}

}  // namespace lockwood::solver
