#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "dpn/model/network.hpp"
#include "solver/query/problem.hpp"

namespace lockwood::verify {

// Who waits for whom in joins at the end of the last phase (docs/theory.md, Sect. 10.8), as far as goals ask for it. A
// thread leads to a pair of goals if it meets the second one, or waits in a join for a thread that leads to the pair.
//
//     N i h    the own thread meets the first goal of pair i, and needs a member of h that leads to the pair
//     B i h    the own thread leads to pair i, if it has such a member
//     L i      the own thread leads to pair i
//     O i h    a member of h leads to pair i
//     I i      a thread started in the tree leads to pair i; only if some thread is a member with all that it starts
//     F h      h is joined or forgotten
//
// Of a tree whose own thread stands there are no O and F.
struct Wait {
  char kind;
  std::size_t pair{};
  std::optional<dpn::Group> group{};
  friend auto operator<=>(const Wait&, const Wait&) = default;
};
using Waits = std::set<Wait>;

// Nothing comes before that meets the need.
[[nodiscard]] bool has_need(const Waits& waits);

// Of two parts of a thread's tree, the left one before the right one. Nothing if the left one makes a need impossible.
[[nodiscard]] std::optional<Waits> sequence(const Waits& left, const Waits& right, bool right_stands);
// Of a frame that opens the groups, seen from outside.
[[nodiscard]] std::optional<Waits> without(std::span<const dpn::Group> groups, const Waits& inside);
// Of a step that starts a thread with this tree.
[[nodiscard]] std::optional<Waits> started(const dpn::Spawn& spawn, const Waits& child, bool counts_offspring);
// Of a step that joins or forgets the groups.
[[nodiscard]] Waits emptied(const std::vector<dpn::Group>& groups);
// Of a thread that is at the head and meets the goal, or none: one of these.
[[nodiscard]] std::vector<Waits> standing(const dpn::Network& network, const std::vector<problem::Awaiting>& pairs,
                                          dpn::Head head, std::optional<std::size_t> goal);

}  // namespace lockwood::verify
