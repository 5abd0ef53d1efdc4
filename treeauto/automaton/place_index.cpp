#include "treeauto/automaton/place_index.hpp"

#include <algorithm>
#include <numeric>

namespace lockwood::treeauto {

PlaceIndex::PlaceIndex(const Automaton& automaton) {
  const Alphabet& alphabet = automaton.alphabet();
  first_place_.reserve(alphabet.size());
  std::vector<std::size_t> begins(automaton.state_count() + 1);  // of each state's part of transitions_
  for (Symbol symbol : alphabet.symbols()) {
    first_place_.push_back(static_cast<std::uint32_t>(places_));
    places_ += alphabet.rank(symbol);
  }
  for (TransitionId id : automaton.transitions())
    for (State child : automaton.children(id)) ++begins[child.index() + 1];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());

  // Filled place by place, so that each state's part is ordered by place and transition. A symbol's places are looked
  // at only if it has transitions: an alphabet may declare huge ranks that no one uses.
  std::vector<std::uint32_t> places(begins.back());
  transitions_.assign(begins.back(), TransitionId{0});
  std::vector<std::size_t> next(begins.begin(), begins.end() - 1);
  for (Symbol symbol : alphabet.symbols()) {
    if (automaton.transitions_of(symbol).size() == 0) continue;
    for (std::size_t position = 0; position < alphabet.rank(symbol); ++position)
      for (TransitionId id : automaton.transitions_of(symbol)) {
        const std::size_t slot = next[automaton.children(id)[position].index()]++;
        places[slot] = place(symbol, position);
        transitions_[slot] = id;
      }
  }
  group_begins_.push_back(0);
  for (State state : automaton.states()) {
    for (std::size_t i = begins[state.index()]; i < begins[state.index() + 1]; ++i) {
      const auto slot = static_cast<std::uint32_t>(i);
      if (i == begins[state.index()] || places[i] != places[i - 1]) groups_.push_back({places[i], slot, slot});
      groups_.back().end = slot + 1;
    }
    group_begins_.push_back(groups_.size());
  }
}

std::span<const TransitionId> PlaceIndex::at(State child, std::uint32_t place) const {
  const auto all = groups(child);
  const auto group = std::ranges::lower_bound(all, place, {}, &Group::place);
  return group != all.end() && group->place == place ? transitions(*group) : std::span<const TransitionId>{};
}

}  // namespace lockwood::treeauto
