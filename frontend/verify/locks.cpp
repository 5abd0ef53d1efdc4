#include "frontend/verify/locks.hpp"

#include <algorithm>

namespace lockwood::verify {
namespace {

bool disjoint(const Locks& a, const Locks& b) {
  return std::ranges::none_of(a, [&](dpn::Lock lock) { return b.contains(lock); });
}

// Adds an edge for each two in a row until there is nothing new.
void close(LockEdges& edges) {
  for (std::size_t before = 0; before != edges.size();) {
    before = edges.size();
    for (const auto& [from, through] : edges)
      for (auto at = edges.lower_bound({through, dpn::Lock{0}}); at != edges.end() && at->first == through; ++at)
        edges.insert({from, at->second});
  }
}

bool acyclic(const LockEdges& closed) {
  return std::ranges::none_of(closed, [](const auto& edge) { return edge.first == edge.second; });
}

}  // namespace

std::optional<Structure> if_consistent(Structure structure) {
  for (PhaseLocks& phase : structure.phases) {
    close(phase.acquisition);
    close(phase.release);
    if (!acyclic(phase.acquisition) || !acyclic(phase.release) || !disjoint(phase.held, phase.used))
      return std::nullopt;
  }
  return structure;
}

bool included(const Structure& smaller, const Structure& larger) {
  if (!std::ranges::includes(larger.own_uses, smaller.own_uses)) return false;
  for (std::size_t i = 0; i < smaller.phases.size(); ++i) {
    const auto& [acquired, used, held, acquisition, release] = smaller.phases[i];
    const PhaseLocks& other = larger.phases[i];
    if (!std::ranges::includes(other.acquired, acquired) || !std::ranges::includes(other.used, used) ||
        !std::ranges::includes(other.held, held) || !std::ranges::includes(other.acquisition, acquisition) ||
        !std::ranges::includes(other.release, release))
      return false;
  }
  return true;
}

std::optional<Structure> joined(const Structure& left, const Structure& right, bool own_uses_of_left) {
  const auto add = [](auto& to, const auto& from) { to.insert(from.begin(), from.end()); };
  Structure both = right;
  if (own_uses_of_left) add(both.own_uses, left.own_uses);
  for (std::size_t i = 0; i < both.phases.size(); ++i) {
    const auto& [acquired, used, held, acquisition, release] = left.phases[i];
    PhaseLocks& phase = both.phases[i];
    if (!disjoint(acquired, phase.acquired)) return std::nullopt;
    add(phase.acquired, acquired);
    add(phase.used, used);
    add(phase.held, held);
    add(phase.acquisition, acquisition);
    add(phase.release, release);
  }
  return if_consistent(std::move(both));
}

std::optional<Structure> monitored(dpn::Lock lock, std::size_t entered, std::optional<std::size_t> returned,
                                   const Structure& body) {
  Structure around = body;
  around.phases[entered].used.insert(lock);
  if (returned == entered) {
    around.own_uses.insert(lock);
    return if_consistent(std::move(around));
  }
  if (!around.phases[entered].acquired.insert(lock).second) return std::nullopt;
  for (dpn::Lock after : body.phases[entered].used) around.phases[entered].acquisition.insert({lock, after});
  for (std::size_t i = entered + 1; i < returned.value_or(around.phases.size()); ++i)
    around.phases[i].held.insert(lock);
  if (returned)
    for (dpn::Lock before : body.own_uses) around.phases[*returned].release.insert({lock, before});
  return if_consistent(std::move(around));
}

}  // namespace lockwood::verify
