#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "dpn/network.hpp"
#include "frontend/verify/json_item.hpp"

namespace lockwood::verify {

using Locks = std::set<dpn::Lock>;
using LockOrder = std::map<dpn::Lock, Locks>;  // an edge from each lock to those of its row; no row is empty

// The lock structure of a tree (docs/theory.md, Sect. 4), with both orders transitively closed.
struct PhaseLocks {
  Locks acquired;         // A
  Locks used;             // U
  Locks held;             // H
  LockOrder acquisition;  // G, an edge x → u for each u used after x was finally acquired
  LockOrder release;      // R backwards, an edge x → y for each y that the thread uses before it releases x
  friend auto operator<=>(const PhaseLocks&, const PhaseLocks&) = default;
};
struct Structure {
  Locks own_uses;  // Um
  std::vector<PhaseLocks> phases;
  friend auto operator<=>(const Structure&, const Structure&) = default;
};

[[nodiscard]] Structure read_structure(const dpn::Network& network, const JsonItem& item, std::size_t phases);

// ⊑: componentwise inclusion.
[[nodiscard]] bool included(const Structure& smaller, const Structure& larger);

// Two subtrees of a tree; own uses are those of the right one, and of the left one if asked for. Nothing if the result
// is inconsistent.
[[nodiscard]] std::optional<Structure> joined(const Structure& left, const Structure& right, bool own_uses_of_left);

// A monitor on a lock that its thread does not hold yet, around a body which returned in a phase or did not return.
[[nodiscard]] std::optional<Structure> monitored(dpn::Lock lock, std::size_t entered,
                                                 std::optional<std::size_t> returned, const Structure& body);

}  // namespace lockwood::verify
