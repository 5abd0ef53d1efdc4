#pragma once

#include <cstddef>
#include <cstdint>

#include "base/ids/id_vector.hpp"
#include "base/process/stop.hpp"
#include "treeauto/automaton/automaton.hpp"
#include "treeauto/simulation/bit_matrix.hpp"

namespace lockwood::treeauto {

// A preorder on the states of an automaton, stored by the classes of states that are below each other.
class StatePreorder {
 public:
  // class_of numbers the classes of equivalent states without gaps; `below` is a partial order on them.
  StatePreorder(IdVector<State, std::uint32_t> class_of, BitMatrix below)
      : class_of_{std::move(class_of)}, below_{std::move(below)} {}
  // Every state is below itself only.
  [[nodiscard]] static StatePreorder identity(std::size_t states);

  // lower ≤ upper
  [[nodiscard]] bool holds(State lower, State upper) const { return below_.test(class_of_[lower], class_of_[upper]); }
  [[nodiscard]] bool equivalent(State a, State b) const { return class_of_[a] == class_of_[b]; }
  [[nodiscard]] std::size_t state_count() const { return class_of_.size(); }
  [[nodiscard]] std::size_t class_count() const { return below_.size(); }
  // Classes are numbered in the order of their first states.
  [[nodiscard]] std::uint32_t class_of(State state) const { return class_of_[state]; }
  [[nodiscard]] const IdVector<State, std::uint32_t>& classes_of_states() const { return class_of_; }
  // One class ≤ another.
  [[nodiscard]] const BitMatrix& classes() const { return below_; }

 private:
  IdVector<State, std::uint32_t> class_of_;
  BitMatrix below_;
};

// The greatest downward simulation [abdulla.08.computing, Sect. 3]: q ≤ r implies that for every transition
// f(q₁, …, qₙ) → q there is one f(r₁, …, rₙ) → r with qᵢ ≤ rᵢ for all i. Then every tree that may be labelled q may be
// labelled r.
[[nodiscard]] StatePreorder downward_simulation(const Automaton& automaton, StopToken stop = {});

// The greatest upward simulation induced by a downward one (or the identity) [abdulla.08.computing, Sect. 3]: q ≤ r
// implies that r is final if q is, and that for every transition f(…, q, …) → q' with q at place i there is one
// f(…, r, …) → r' with r at place i and q' ≤ r', where at the other places the states of the first are `others`-below
// those of the second. With the identity: every context that accepts with q accepts with r.
[[nodiscard]] StatePreorder upward_simulation(const Automaton& automaton, StopToken stop = {});
[[nodiscard]] StatePreorder upward_simulation(const Automaton& automaton, const StatePreorder& others,
                                              StopToken stop = {});

}  // namespace lockwood::treeauto
