#pragma once

#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "dpn/model/network.hpp"

namespace lockwood::verify {

// One element of a lock structure (docs/theory.md, Sect. 4), x and y being locks and i the phase:
//
//     A i x    x is acquired in i and held at its end         G i x y  y is used in i after x is finally acquired
//     U i x    x is used or acquired in i, by any thread      R i x y  y is used in i by the thread that held x when i
//     H i x    x is held throughout i                                  began, before it releases x in i
//     M i x    x is used in i by the tree's own thread, which returns in i
struct Atom {
  char kind;
  std::size_t phase;
  dpn::Lock x;
  std::optional<dpn::Lock> y{};  // of G and R
  friend auto operator<=>(const Atom&, const Atom&) = default;
};
using Structure = std::set<Atom>;
using Number = std::optional<std::size_t>;  // of a structure; nothing for inconsistent ones

// Consistent structures by numbers, and their joins: the same ones are asked for over and over. Both graphs of a
// structure, G and R, are transitively closed.
class Structures {
 public:
  static constexpr std::size_t empty = 0;
  // The structure, closed. Nothing if it is inconsistent: a graph has a cycle, or what is held throughout a phase is
  // used in it.
  Number number_of(Structure structure);
  // Of two parts of a tree whose own thread returns in that phase, or does not return. Nothing if it is inconsistent,
  // as it is if the left one is, or if both finally acquire the same lock in a phase.
  Number join(Number left, std::size_t right, std::optional<std::size_t> returns_in);
  [[nodiscard]] bool included(std::size_t smaller, std::size_t larger) const;
  [[nodiscard]] const Structure& operator[](std::size_t number) const { return *rows_[number].first; }

 private:
  std::map<Structure, std::size_t> numbers_{{{}, empty}};
  // With some bits of each, of which a larger one has all: most comparisons need not look further.
  std::vector<std::pair<const Structure*, std::uint64_t>> rows_{{&numbers_.begin()->first, 0}};
  std::map<std::tuple<std::size_t, std::size_t, std::optional<std::size_t>>, Number> joins_;
};

}  // namespace lockwood::verify
