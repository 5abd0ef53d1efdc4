#pragma once

#include <optional>
#include <span>

#include "base/ids/id_vector.hpp"
#include "base/process/stop.hpp"
#include "treeauto/automaton/automaton.hpp"
#include "treeauto/automaton/shared_tree.hpp"
#include "treeauto/automaton/term.hpp"
#include "treeauto/automaton/transducer.hpp"
#include "treeauto/automaton/tree.hpp"

namespace lockwood::treeauto {

// A tree homomorphism [comon.08.tata, Sect. 1.4]: each symbol becomes a term over the output alphabet, with xᵢ where
// the image of child number i is put, as often as it likes.
struct Homomorphism {
  Alphabet input;
  Alphabet output;
  IdVector<Symbol, Term> terms;  // one for each symbol of the input, with its rank's variables
};

// The homomorphism as a transducer with one state.
[[nodiscard]] Transducer as_transducer(const Homomorphism& homomorphism);

// Requires the tree's symbols in the input alphabet. Throws TreeTooLarge for more than `limit` nodes.
[[nodiscard]] Tree image(const Homomorphism& homomorphism, const Tree& tree, std::uint64_t limit = unfolding_limit);

// The image of a language. Requires that all terms are linear: other images need not be regular.
[[nodiscard]] Automaton image(const Homomorphism& homomorphism, const Automaton& automaton, StopToken stop = {});

// The trees over the input alphabet whose image is in the language, for any homomorphism. If it is not linear, states
// are sets of states, and there may be exponentially many.
[[nodiscard]] Automaton inverse_image(const Homomorphism& homomorphism, const Automaton& automaton,
                                      StopToken stop = {});

// The automaton with each symbol replaced by another of the same rank, over `output`; transitions whose symbol becomes
// nothing are left out. States stay as they are. With several symbols mapped to one this is a projection.
[[nodiscard]] Automaton relabelled(const Automaton& automaton, const Alphabet& output,
                                   const IdVector<Symbol, std::optional<Symbol>>& symbols);

// The trees of the language with all nodes of the given symbols taken out, over the alphabet without them. Requires
// that these symbols have rank 1. States stay as they are.
[[nodiscard]] Automaton without_unary_symbols(const Automaton& automaton, std::span<const Symbol> erased,
                                              StopToken stop = {});

}  // namespace lockwood::treeauto
