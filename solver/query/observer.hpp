#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/text/diagnostic.hpp"
#include "dpn/trees/node_label.hpp"
#include "solver/query/tree_alphabet.hpp"
#include "treeauto/automaton/automaton.hpp"

namespace lockwood::problem {

// A bottom-up tree automaton over the execution trees of a network, run on the tree as it stood at the end of a phase
// (so it never sees a Cut). Symbols are matched by name and rank; a symbol of the alphabet that the automaton has no
// transition for is one that it does not accept.
class Observer {
 public:
  using State = std::uint32_t;
  // Throws InputError, saying `file`, if the automaton declares or uses symbols that are not of the alphabet; names
  // what was probably meant.
  Observer(std::shared_ptr<const dpn::TreeAlphabet> alphabet, treeauto::Automaton automaton, std::string_view file);

  // The states that a node with this label may get above children in these states, without repetition.
  [[nodiscard]] std::vector<State> targets(const dpn::NodeLabel& label, std::span<const State> children) const;
  [[nodiscard]] bool accepting(State state) const { return automaton_.is_final(treeauto::State{state}); }
  // Whether some run on the tree ends in an accepting state.
  [[nodiscard]] bool accepts(const dpn::ExecutionTree& tree) const;

  [[nodiscard]] std::size_t state_count() const { return automaton_.state_count(); }
  [[nodiscard]] std::string state_name(State state) const { return automaton_.state_name(treeauto::State{state}); }
  // Reading it gives the same automaton, with the same numbers of states.
  [[nodiscard]] std::string to_timbuk() const;

 private:
  std::shared_ptr<const dpn::TreeAlphabet> alphabet_;
  treeauto::Automaton automaton_;
  IdVector<treeauto::Symbol, std::optional<treeauto::Symbol>> match_;  // symbols of the alphabet ↦ of the automaton
};

// The symbols of the automaton that are not of the alphabet, in their order, with hints; nothing if it fits.
[[nodiscard]] std::vector<Diagnostic> misfits(const dpn::TreeAlphabet& alphabet, const treeauto::Automaton& automaton,
                                              std::string_view file);

}  // namespace lockwood::problem
