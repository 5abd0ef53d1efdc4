#pragma once

#include <optional>

#include "base/process/stop.hpp"
#include "treeauto/automaton/automaton.hpp"
#include "treeauto/automaton/shared_tree.hpp"

namespace lockwood::treeauto {

// How to decide inclusion. All give the same answer; which is fastest depends.
enum class InclusionMethod {
  // Upward; if that takes long, reduce both automata and try all others in turns (without simulations if there are so
  // many states that these would not fit into memory).
  Automatic,
  Upward,            // from the leaves, antichains
  UpwardSimulation,  // the same, pruned by upward simulation
  Downward,          // from the root, antichains; unsatisfiable for high ranks and many transitions
  DownwardSimulation,
};

struct InclusionOptions {
  InclusionMethod method = InclusionMethod::Automatic;
};

struct Inclusion {
  bool holds;
  // If it does not hold: a tree that only the first accepts. A small one if the method is Upward or Automatic.
  std::optional<SharedTree> counterexample;
  InclusionMethod decided_by;
};

// Whether every tree that the first automaton accepts is accepted by the second; symbols are matched by name and rank.
[[nodiscard]] Inclusion inclusion(const Automaton& first, const Automaton& second, InclusionOptions options = {},
                                  StopToken stop = {});
[[nodiscard]] bool is_included(const Automaton& first, const Automaton& second, StopToken stop = {});

struct Equivalence {
  bool holds;
  // If it does not hold: a tree that only one of them accepts, and whether that is the first.
  std::optional<SharedTree> counterexample;
  bool accepted_by_first = false;
};

// Whether both automata accept the same trees: inclusion both ways.
[[nodiscard]] Equivalence equivalence(const Automaton& first, const Automaton& second, InclusionOptions options = {},
                                      StopToken stop = {});
[[nodiscard]] bool are_equivalent(const Automaton& first, const Automaton& second, StopToken stop = {});

}  // namespace lockwood::treeauto
