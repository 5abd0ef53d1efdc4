#include "treeauto/operations/macro_run.hpp"

#include <algorithm>

namespace lockwood::treeauto {

MacroState MacroRun::target(Symbol symbol, std::span<const MacroState> children) {
  question_.assign(1, static_cast<std::uint32_t>(symbol.index()));
  for (MacroState child : children) question_.push_back(static_cast<std::uint32_t>(child.index()));
  const std::uint32_t number = asked_.intern(question_).number;
  if (number < answers_.size()) return answers_[number];
  child_sets_.clear();
  for (MacroState child : children) child_sets_.push_back(states(child));
  answers_.emplace_back(sets_.intern(step_.targets(symbol, child_sets_)).number);
  return answers_.back();
}

bool MacroRun::is_final(MacroState set) const {
  return std::ranges::any_of(states(set), [this](State state) { return automaton().is_final(state); });
}

}  // namespace lockwood::treeauto
