#include "frontend/verify/locks.hpp"

#include <algorithm>

namespace lockwood::verify {
namespace {

bool subset(const Locks& smaller, const Locks& larger) { return std::ranges::includes(larger, smaller); }

bool subset(const LockOrder& smaller, const LockOrder& larger) {
  return std::ranges::all_of(smaller, [&](const auto& row) {
    const auto at = larger.find(row.first);
    return at != larger.end() && subset(row.second, at->second);
  });
}

bool disjoint(const Locks& a, const Locks& b) {
  return std::ranges::none_of(a, [&](dpn::Lock lock) { return b.contains(lock); });
}

void add(LockOrder& order, dpn::Lock from, const Locks& to) {
  if (!to.empty()) order[from].insert(to.begin(), to.end());
}

// Warshall's algorithm.
void close(LockOrder& order) {
  for (const auto& [through, beyond] : order)
    for (auto& [from, to] : order)
      if (to.contains(through)) to.insert(beyond.begin(), beyond.end());
}

bool acyclic(const LockOrder& closed) {
  return std::ranges::none_of(closed, [](const auto& row) { return row.second.contains(row.first); });
}

std::optional<Structure> if_consistent(Structure structure) {
  for (PhaseLocks& phase : structure.phases) {
    close(phase.acquisition);
    close(phase.release);
    if (!acyclic(phase.acquisition) || !acyclic(phase.release) || !disjoint(phase.held, phase.used))
      return std::nullopt;
  }
  return structure;
}

Locks read_locks(const dpn::Network& network, const std::vector<JsonItem>& items) {
  Locks locks;
  for (const JsonItem& item : items) locks.insert(item.symbol(network.locks()));
  return locks;
}

LockOrder read_order(const dpn::Network& network, const std::vector<JsonItem>& items) {
  LockOrder order;
  for (const JsonItem& item : items) {
    const auto row = item.list();
    if (row.size() != 2) item.reject("this must be a lock and an array of locks");
    add(order, row[0].symbol(network.locks()), read_locks(network, row[1].list()));
  }
  close(order);
  return order;
}

}  // namespace

Structure read_structure(const dpn::Network& network, const JsonItem& item, std::size_t phases) {
  item.with_members({"own_uses", "phases"});
  Structure structure{read_locks(network, item.list("own_uses")), {}};
  for (const JsonItem& phase : item.member("phases").list()) {
    phase.with_members({"acquired", "used", "held", "acquisition", "release"});
    structure.phases.push_back({read_locks(network, phase.list("acquired")), read_locks(network, phase.list("used")),
                                read_locks(network, phase.list("held")), read_order(network, phase.list("acquisition")),
                                read_order(network, phase.list("release"))});
  }
  if (structure.phases.size() != phases) item.reject("the structure has another number of phases than the problem");
  return structure;
}

bool included(const Structure& smaller, const Structure& larger) {
  if (!subset(smaller.own_uses, larger.own_uses)) return false;
  for (std::size_t i = 0; i < smaller.phases.size(); ++i) {
    const PhaseLocks& a = smaller.phases[i];
    const PhaseLocks& b = larger.phases[i];
    if (!subset(a.acquired, b.acquired) || !subset(a.used, b.used) || !subset(a.held, b.held) ||
        !subset(a.acquisition, b.acquisition) || !subset(a.release, b.release))
      return false;
  }
  return true;
}

std::optional<Structure> joined(const Structure& left, const Structure& right, bool own_uses_of_left) {
  Structure both = right;
  if (own_uses_of_left) both.own_uses.insert(left.own_uses.begin(), left.own_uses.end());
  for (std::size_t i = 0; i < both.phases.size(); ++i) {
    const PhaseLocks& from = left.phases[i];
    PhaseLocks& to = both.phases[i];
    if (!disjoint(from.acquired, to.acquired)) return std::nullopt;
    to.acquired.insert(from.acquired.begin(), from.acquired.end());
    to.used.insert(from.used.begin(), from.used.end());
    to.held.insert(from.held.begin(), from.held.end());
    for (const auto& [lock, after] : from.acquisition) add(to.acquisition, lock, after);
    for (const auto& [lock, before] : from.release) add(to.release, lock, before);
  }
  return if_consistent(std::move(both));
}

std::optional<Structure> monitored(dpn::Lock lock, std::size_t entered, std::optional<std::size_t> returned,
                                   const Structure& body) {
  Structure around = body;
  PhaseLocks& phase = around.phases[entered];
  phase.used.insert(lock);
  if (returned == entered) {
    around.own_uses.insert(lock);
  } else {
    if (!phase.acquired.insert(lock).second) return std::nullopt;
    add(phase.acquisition, lock, body.phases[entered].used);
    for (std::size_t i = entered + 1; i < returned.value_or(around.phases.size()); ++i)
      around.phases[i].held.insert(lock);
    if (returned) add(around.phases[*returned].release, lock, body.own_uses);
  }
  return if_consistent(std::move(around));
}

}  // namespace lockwood::verify
