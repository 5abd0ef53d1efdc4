#include "solver/construction/lock_graph.hpp"

#include <algorithm>
#include <cassert>

namespace lockwood::solver::reference {

bool disjoint(const Locks& a, const Locks& b) {
  return std::ranges::none_of(a, [&](dpn::Lock lock) { return b.contains(lock); });
}

LockGraph edges(const Locks& from, const Locks& to) {
  LockGraph graph;
  for (dpn::Lock x : from)
    for (dpn::Lock y : to) graph.emplace(x, y);
  return graph;
}

// A finite graph is acyclic iff taking away edges into locks that no edge leaves, again and again, leaves nothing.
bool is_acyclic(const LockGraph& graph) {
  LockGraph left = graph;
  while (!left.empty()) {
    const auto leads_nowhere = [&](const auto& edge) {
      return std::ranges::none_of(left, [&](const auto& other) { return other.first == edge.second; });
    };
    LockGraph kept;
    for (const auto& edge : left)
      if (!leads_nowhere(edge)) kept.insert(edge);
    if (kept.size() == left.size()) return false;
    assert(kept.size() < left.size());  // so this ends
    left = std::move(kept);
  }
  return true;
}

}  // namespace lockwood::solver::reference
