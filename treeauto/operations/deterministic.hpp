#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "base/ids/sequence_table.hpp"
#include "base/process/stop.hpp"
#include "treeauto/automaton/automaton.hpp"

namespace lockwood::treeauto {

// A complete deterministic bottom-up automaton in the form of product transitions [gallagher.15.optimised]: at each
// place (symbol and position) the states fall into classes that no transition of that symbol tells apart there, and a
// transition f(C₁, …, Cₙ) → q is given once for classes. Explicit transitions can be a hundred times as many.
//
// Invariants: class 0 is that of the states with which the symbol leads to the sink whatever the siblings are, and
// rows have no class 0; a tuple of classes without a row leads to the sink; the sink has class 0 everywhere.
struct DeterministicAutomaton {
  struct Table {                                           // of one symbol
    std::vector<IdVector<State, std::uint32_t>> class_of;  // by position; empty if there are no rows
    SequenceTable<std::uint32_t> rows;                     // tuples of classes
    std::vector<State> targets;                            // of the rows
  };

  Alphabet alphabet;
  IdVector<Symbol, Table> tables;
  IdVector<State, bool> final;
  State sink{0};

  [[nodiscard]] std::size_t state_count() const { return final.size(); }
  [[nodiscard]] IdRange<State> states() const { return final.keys(); }
  [[nodiscard]] std::size_t row_count() const;
  // The state of f(t₁, …, tₙ), given those of t₁, …, tₙ.
  [[nodiscard]] State target(Symbol symbol, std::span<const State> children) const;
};

// Accepts what the automaton accepts, by the subset construction. State 0 is the sink, the empty set; each other state
// is a set of states that some tree reaches, useless states left out. Exponentially many, at worst.
[[nodiscard]] DeterministicAutomaton determinised(const Automaton& automaton, StopToken stop = {});
// The same, or nothing if that would take more than so many steps (each about as long as copying a number).
[[nodiscard]] std::optional<DeterministicAutomaton> determinised_within(const Automaton& automaton, std::size_t steps,
                                                                        StopToken stop = {});

// The smallest complete deterministic automaton with the same language (one more state if no tree leads to the sink).
// Requires that some tree reaches each state but perhaps the sink, as after determinisation.
[[nodiscard]] DeterministicAutomaton minimised(const DeterministicAutomaton& automaton, StopToken stop = {});

// The smallest complete deterministic automaton for the language of any automaton. If determinising it as it is takes
// long, it is reduced by simulations first, which can make that thousands of times shorter.
[[nodiscard]] DeterministicAutomaton minimal_deterministic(const Automaton& automaton, StopToken stop = {});

// Accepts what the automaton rejects.
[[nodiscard]] DeterministicAutomaton complement(DeterministicAutomaton automaton);

// Whether some tree leads to the sink. Requires that some tree reaches each other state.
[[nodiscard]] bool reaches_sink(const DeterministicAutomaton& automaton);

// Which explicit transitions are wanted.
enum class Totality {
  Partial,   // those that do not lead to the sink, and no sink; requires that the sink is not final
  Complete,  // all: exactly one for each symbol and each tuple of states; no sink if nothing leads to it
};
// The automaton with explicit transitions. States keep their order.
[[nodiscard]] Automaton to_automaton(const DeterministicAutomaton& automaton, Totality totality, StopToken stop = {});

}  // namespace lockwood::treeauto
