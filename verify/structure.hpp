#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "dpn/model/network.hpp"

namespace lockwood::verify {

using PhaseIndex = std::size_t;

// One element of the locks of a tree (docs/theory.md, Sect. 4), x and y being locks and i the phase:
//
//     A i x    x is acquired in i and held at its end         G i x y  y is used in i after x is finally acquired
//     U i x    x is used or acquired in i, by any thread      R i x y  y is used in i before x, which was held when i
//     H i x    x is held throughout i                                  began, can be released in i
//     M i x    x is used in i by the tree's own thread, which returns in i, or by members that it joins in i
struct Atom {
  char kind;
  PhaseIndex phase;
  dpn::Lock x;
  std::optional<dpn::Lock> y{};  // of G and R
  friend auto operator<=>(const Atom&, const Atom&) = default;
};

// The members of a group that were started in a tree, and neither joined nor forgotten there.
struct Started {
  PhaseIndex end = 0;  // in which the last one ends; the number of phases if one does not
  std::set<std::pair<PhaseIndex, dpn::Lock>>
      uses;  // what they use, from the phase on in which the tree's thread returns
  friend auto operator<=>(const Started&, const Started&) = default;
};

// What happens first to a group in a tree.
struct First {
  std::optional<PhaseIndex> joined_in;  // nothing: it is forgotten
  std::set<dpn::Lock> released;         // locks held when that phase began, and released in it after the join
  friend auto operator<=>(const First&, const First&) = default;
};

// All that other parts of an execution need to know of a tree's locks and groups.
struct Structure {
  std::set<Atom> locks;
  std::map<dpn::Group, Started> started;  // P
  std::map<dpn::Group, First> first;      // D
  std::optional<PhaseIndex>
      offspring;  // e: in which the last thread started in the tree ends, as above; nothing for none
  friend auto operator<=>(const Structure&, const Structure&) = default;
};
using Number = std::optional<std::size_t>;    // of a structure; nothing for inconsistent ones
using ReturnsIn = std::optional<PhaseIndex>;  // the phase in which a tree's own thread returns; nothing: it does not

// Consistent structures by numbers, and the operations on them: the same ones are asked for over and over. Both graphs
// of a structure, G and R, are transitively closed.
class Structures {
 public:
  static constexpr std::size_t empty = 0;

  // The structure, closed. Nothing if it is inconsistent: a graph has a cycle, or what is held throughout a phase is
  // used in it.
  Number number_of(Structure structure);
  // Of two parts of a thread's tree, the left one before the right one, which returns in that phase or does not.
  // Nothing if it is inconsistent: as the left one, or since both finally acquire the same lock in a phase, or since
  // the right one joins what the left one started before that has ended.
  Number sequence(Number left, std::size_t right, ReturnsIn returns_in);
  // Of a monitor on the lock around the body, entered in that phase by a thread that does not hold the lock. The
  // problem has so many phases.
  Number monitor(dpn::Lock lock, PhaseIndex entered, ReturnsIn returns_in, std::size_t body, PhaseIndex phases);
  // The structure without what is known of these groups.
  Number without(std::span<const dpn::Group> groups, std::size_t structure);
  // Whether a tree with the first structure can replace every one with the second that ends in the same way.
  [[nodiscard]] bool replaces(std::size_t smaller, std::size_t larger, ReturnsIn returns_in) const;
  [[nodiscard]] const Structure& operator[](std::size_t number) const { return *rows_[number].first; }

 private:
  std::map<Structure, std::size_t> numbers_{{{}, empty}};
  // With some bits of each, of which a larger one has all: most comparisons need not look further.
  std::vector<std::pair<const Structure*, std::uint64_t>> rows_{{&numbers_.begin()->first, 0}};
  std::map<std::tuple<std::size_t, std::size_t, ReturnsIn>, Number> sequences_;
  std::map<std::tuple<dpn::Lock, PhaseIndex, ReturnsIn, std::size_t>, Number> monitors_;
};

}  // namespace lockwood::verify
