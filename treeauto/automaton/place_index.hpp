#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "treeauto/automaton/automaton.hpp"

namespace lockwood::treeauto {

// The occurrences of each state grouped by place. A place is a symbol and a position below it; places are numbered by
// symbol and position. Automata over the same alphabet have the same places.
class PlaceIndex {
 public:
  // The transitions in which some state is at some place.
  struct Group {
    std::uint32_t place;
    std::uint32_t begin;
    std::uint32_t end;
  };

  // Linear in the automaton's size.
  explicit PlaceIndex(const Automaton& automaton);

  [[nodiscard]] std::size_t place_count() const { return places_; }
  [[nodiscard]] std::uint32_t place(Symbol symbol, std::size_t position) const {
    return first_place_[symbol] + static_cast<std::uint32_t>(position);
  }
  // The places where the state stands, in their order.
  [[nodiscard]] std::span<const Group> groups(State child) const {
    return std::span{groups_}.subspan(group_begins_[child.index()],
                                      group_begins_[child.index() + 1] - group_begins_[child.index()]);
  }
  // The transitions of a group, in their order.
  [[nodiscard]] std::span<const TransitionId> transitions(const Group& group) const {
    return std::span{transitions_}.subspan(group.begin, group.end - group.begin);
  }
  // The transitions in which the state is at the place.
  [[nodiscard]] std::span<const TransitionId> at(State child, std::uint32_t place) const;

 private:
  std::size_t places_ = 0;
  IdVector<Symbol, std::uint32_t> first_place_;
  std::vector<std::size_t> group_begins_;  // by state
  std::vector<Group> groups_;
  std::vector<TransitionId> transitions_;
};

}  // namespace lockwood::treeauto
