#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/ids/sequence_table.hpp"
#include "treeauto/automaton/automaton.hpp"
#include "treeauto/operations/subset_step.hpp"

namespace lockwood::treeauto {

// A set of states, numbered by the MacroRun it belongs to.
using MacroState = Id<struct MacroStateTag>;

// The deterministic automaton of all sets of states, made as far as it is asked for. Steps are remembered: a tree with
// many like subtrees costs little more than its nodes. One object belongs to one thread.
class MacroRun {
 public:
  explicit MacroRun(Automaton automaton) : step_{std::move(automaton)} {}
  [[nodiscard]] const Automaton& automaton() const { return step_.automaton(); }

  // The set that f(t₁, …, tₙ) reaches if t₁, …, tₙ reach these.
  [[nodiscard]] MacroState target(Symbol symbol, std::span<const MacroState> children);
  [[nodiscard]] MacroState empty_set() { return MacroState{sets_.intern({}).number}; }
  // Sorted. Valid until the next call of target.
  [[nodiscard]] std::span<const State> states(MacroState set) const { return sets_[set.index()]; }
  [[nodiscard]] bool is_final(MacroState set) const;

 private:
  SubsetStep step_;
  SequenceTable<State> sets_;
  SequenceTable<std::uint32_t> asked_;  // symbol and children
  std::vector<MacroState> answers_;     // by number in asked_
  std::vector<std::uint32_t> question_;
  std::vector<std::span<const State>> child_sets_;
};

}  // namespace lockwood::treeauto
