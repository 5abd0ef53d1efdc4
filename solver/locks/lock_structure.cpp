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
  return close();
}

bool LockOrder::relate(const LockOrder& other) {
  if (other.rows_.empty()) return true;
  for (const Row& row : other.rows_) row_of(row.lock).insert(row.related);
  return close();
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
  return hash;
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
  return true;
}

std::optional<LockStructure> join(const LockStructure& left, const LockStructure& right, OwnUses own_uses) {
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
  return joined;
}

std::optional<LockStructure> monitor(Lock lock, PhaseIndex entered, std::optional<PhaseIndex> returned,
                                     const LockStructure& body) {
  LockStructure around = body;
  PhaseLocks& phase = around.phases[entered];
  if (phase.held.contains(lock)) return std::nullopt;
  if (returned == entered) {
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
  return around;
}

}  // namespace lockwood::solver
