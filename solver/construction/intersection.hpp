#pragma once

#include <utility>

#include "base/process/stop.hpp"
#include "solver/construction/labelled_automaton.hpp"
#include "treeauto/automaton/automaton.hpp"
#include "treeauto/lazy/lazy_exploration.hpp"

namespace lockwood::solver::reference {

// An automaton with the same language, without useless states, in which states that cannot be told apart are merged.
// Without this, what each step adds to the states would multiply from step to step.
[[nodiscard]] treeauto::Automaton reduced(const treeauto::Automaton& automaton, StopToken stop = {});

// The trees of the automaton that the definition accepts; only combinations of states that some tree gets are made.
template <class Definition>
[[nodiscard]] treeauto::Automaton intersected(const treeauto::Automaton& trees, const dpn::TreeAlphabet& alphabet,
                                              Definition definition, StopToken stop = {}) {
  return reduced(materialised(trees, LabelledAutomaton<Definition>{alphabet, std::move(definition)}, stop), stop);
}

// The trees of both automata.
[[nodiscard]] treeauto::Automaton intersected(const treeauto::Automaton& trees, const treeauto::Automaton& others,
                                              StopToken stop = {});

}  // namespace lockwood::solver::reference
