#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "treeauto/lazy/lazy.hpp"
#include "treeauto/operations/macro_run.hpp"

namespace lockwood::treeauto {

// The complement of an automaton, made as far as it is asked for. A state is the set of states that a tree reaches; it
// is final if none of these is, and the smaller the set, the more is rejected: a subset subsumes. Emptiness of this
// automaton is the antichain test for universality [bouajjani.08.antichain]; driven by another automaton, for
// inclusion.
class LazyComplement {
 public:
  using State = MacroState;
  // Of the trees over the automaton's alphabet.
  explicit LazyComplement(Automaton automaton) : run_{std::make_shared<MacroRun>(std::move(automaton))} {}
  [[nodiscard]] const Alphabet& alphabet() const { return run_->automaton().alphabet(); }
  [[nodiscard]] bool is_final(State set) const { return !run_->is_final(set); }
  [[nodiscard]] bool subsumes(State smaller, State larger) const {
    return smaller == larger || std::ranges::includes(run_->states(larger), run_->states(smaller));
  }
  template <class Sink>
  void each_member(State set, Sink&& sink) const {
    for (treeauto::State member : run_->states(set)) sink(member.index());
  }
  template <class Sink>
  void each_target(Symbol symbol, std::span<const State> children, Sink&& sink) const {
    sink(run_->target(symbol, children));
  }

 private:
  std::shared_ptr<MacroRun> run_;
};

}  // namespace lockwood::treeauto
