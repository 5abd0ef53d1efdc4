#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/ids/id.hpp"
#include "explorer/store/pair_table.hpp"

namespace lockwood::explorer {

using StateNumber = Id<struct StateNumberTag>;  // in the order of insertion

struct Inserted {
  StateNumber number;
  bool is_new;
};

// A set of component vectors, exactly, by tree compression: a vector is a balanced tree of pairs, and equal pairs are
// stored once. Neighbouring states share all pairs but those on the way from a changed component to the root, so that a
// state costs little more than its root. The same way is all that insert() looks up, if the vector differs little from
// that of the call before.
//
// Vectors of different lengths have trees of different heights: as low as the last component that is not 0 allows.
// Pairs of components and pairs of pairs lie in one table; which is which follows from the height. Roots have tables of
// their own, one for each height.
class ExactStore {
 public:
  [[nodiscard]] Inserted insert(std::span<const std::uint32_t> components);
  // The components of a state, up to a power of two of them.
  void components_of(StateNumber state, std::vector<std::uint32_t>& components) const;

  [[nodiscard]] std::size_t size() const { return states_.size(); }
  [[nodiscard]] std::size_t bytes() const;
  // Pairs below the roots.
  [[nodiscard]] std::size_t inner_pairs() const { return pairs_.size(); }

 private:
  static constexpr std::size_t max_height = 32;
  // A root: its table, and its number there.
  struct State {
    std::uint32_t height : 5;
    std::uint32_t root : 27;
  };
  static_assert(sizeof(State) == 4);

  void rebuild(std::span<const std::uint32_t> components, std::size_t height);
  void update(std::span<const std::uint32_t> components);

  PairTable pairs_;
  std::array<PairTable, max_height> roots_;
  std::array<std::vector<StateNumber>, max_height> numbers_;  // by root
  std::vector<State> states_;
  // The tree of the last vector: levels_[0] are its components, levels_[k] the numbers of the pairs above them; two
  // numbers at the top level, whose pair is the root.
  std::vector<std::vector<std::uint32_t>> levels_;
  std::vector<std::uint32_t> changed_;
};

}  // namespace lockwood::explorer
