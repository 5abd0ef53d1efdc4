#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "frontend/verify/json_object.hpp"

namespace lockwood::verify {

using Names = std::set<std::string>;
using Edges = std::set<std::pair<std::string, std::string>>;

// The lock structure of a tree (docs/theory.md, Sect. 4), with both graphs transitively closed.
struct PhaseLocks {
  Names acquired;     // A
  Names used;         // U
  Names held;         // H
  Edges acquisition;  // G: an edge x → u for each u used after x was finally acquired
  Edges release;      // R backwards: an edge x → y for each y that the thread uses before it releases x
  friend auto operator<=>(const PhaseLocks&, const PhaseLocks&) = default;
};
struct Structure {
  Names own_uses;  // Um
  std::vector<PhaseLocks> phases;
  friend auto operator<=>(const Structure&, const Structure&) = default;
};
void from_json(const Json& json, PhaseLocks& phase);
void from_json(const Json& json, Structure& structure);

// Closes both graphs of every phase. Nothing if a graph has a cycle or a lock is held throughout a phase and used in
// it.
[[nodiscard]] std::optional<Structure> if_consistent(Structure structure);

// ⊑: componentwise inclusion. Requires equal numbers of phases, as does the next function.
[[nodiscard]] bool included(const Structure& smaller, const Structure& larger);

// Two subtrees of a tree; own uses are those of the right one, and of the left one if asked for. Nothing if the result
// is inconsistent.
[[nodiscard]] std::optional<Structure> joined(const Structure& left, const Structure& right, bool own_uses_of_left);

// A monitor on a lock that its thread does not hold yet, around a body which returned in a phase or did not return.
[[nodiscard]] std::optional<Structure> monitored(const std::string& lock, std::size_t entered,
                                                 std::optional<std::size_t> returned, const Structure& body);

// For people.
[[nodiscard]] std::string to_text(const Structure& structure);

}  // namespace lockwood::verify
