#include "treeauto/operations/subset_step.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

namespace lockwood::treeauto {

SubsetStep::SubsetStep(Automaton automaton)
    : automaton_{std::move(automaton)}, index_{automaton_}, collected_(automaton_.state_count()) {}

void SubsetStep::collect(State target) {
  if (collected_[target] == round_) return;
  collected_[target] = round_;
  targets_.push_back(target);
}

std::span<const State> SubsetStep::targets(Symbol symbol, std::span<const std::span<const State>> children) {
  assert(children.size() == automaton_.alphabet().rank(symbol));
  ++round_;
  targets_.clear();
  const auto all = automaton_.transitions_of(symbol);
  if (children.empty()) {
    for (TransitionId id : all) collect(automaton_.target(id));
    std::ranges::sort(targets_);
    return targets_;
  }
  std::size_t best = 0;
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  for (std::size_t position = 0; position < children.size() && all.size() > 0; ++position) {
    std::size_t count = 0;
    for (State child : children[position]) count += index_.at(child, index_.place(symbol, position)).size();
    if (count < fewest) {
      fewest = count;
      best = position;
    }
    if (count == 0) return targets_;
  }
  if (all.size() == 0) return targets_;

  while (member_.size() < children.size()) member_.emplace_back(automaton_.state_count());
  for (std::size_t position = 0; position < children.size(); ++position)
    if (position != best)
      for (State child : children[position]) member_[position][child.index()] = round_;
  for (State child : children[best])
    for (TransitionId id : index_.at(child, index_.place(symbol, best))) {
      const std::span<const State> places = automaton_.children(id);
      bool fits = true;
      for (std::size_t position = 0; position < places.size() && fits; ++position)
        fits = position == best || member_[position][places[position].index()] == round_;
      if (fits) collect(automaton_.target(id));
    }
  std::ranges::sort(targets_);
  return targets_;
}

}  // namespace lockwood::treeauto
