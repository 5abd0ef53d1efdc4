#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "solver/problem.hpp"
#include "solver/tree_alphabet.hpp"
#include "treeauto/automaton.hpp"

namespace lockwood::solver {

// Any tree automaton over the alphabet of a network's execution trees as an observer. Symbols are matched by name and
// rank; a symbol of the alphabet that the automaton has no transition for is one that it does not accept. It never sees
// a CUT.
class AutomatonObserver final : public Observer {
 public:
  // Throws InputError, saying `file`, if the automaton declares or uses symbols that are not of the alphabet; names
  // what was probably meant. The alphabet must outlive the observer.
  AutomatonObserver(const TreeAlphabet& alphabet, treeauto::Automaton automaton, std::string_view file);

  [[nodiscard]] std::vector<State> targets(const NodeLabel& label, std::span<const State> children) const override;
  [[nodiscard]] bool accepting(State state) const override;
  [[nodiscard]] std::string to_timbuk() const override;
  [[nodiscard]] std::string state_name(State state) const override;

 private:
  const TreeAlphabet& alphabet_;
  treeauto::Automaton automaton_;
  IdVector<treeauto::Symbol, std::optional<treeauto::Symbol>> match_;  // symbols of the alphabet ↦ of the automaton
};

// The symbols of the automaton that are not of the alphabet, in their order, with hints; nothing if it fits.
[[nodiscard]] std::vector<Diagnostic> misfits(const TreeAlphabet& alphabet, const treeauto::Automaton& automaton,
                                              std::string_view file);

}  // namespace lockwood::solver
