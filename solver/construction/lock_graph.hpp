#pragma once

#include <algorithm>
#include <set>
#include <utility>

#include "dpn/model/rule.hpp"

// Sets of locks and graphs over locks as the definitions write them. The fast engine has its own
// (solver/locks/lock_set.hpp); the second opinion shares none of its code.
namespace lockwood::solver::reference {

using Locks = std::set<dpn::Lock>;
using LockGraph = std::set<std::pair<dpn::Lock, dpn::Lock>>;

template <class Set>
[[nodiscard]] Set united(Set a, const Set& b) {
  a.insert(b.begin(), b.end());
  return a;
}

template <class Set>
[[nodiscard]] bool subset(const Set& a, const Set& b) {
  return std::ranges::includes(b, a);
}

[[nodiscard]] bool disjoint(const Locks& a, const Locks& b);

// All edges from a member of the one to a member of the other.
[[nodiscard]] LockGraph edges(const Locks& from, const Locks& to);

[[nodiscard]] bool is_acyclic(const LockGraph& graph);

}  // namespace lockwood::solver::reference
