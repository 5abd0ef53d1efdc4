#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "base/process/stop.hpp"
#include "treeauto/automaton/automaton.hpp"
#include "treeauto/automaton/shared_tree.hpp"
#include "treeauto/simulation/simulation.hpp"

namespace lockwood::treeauto {

// The two searches behind inclusion.hpp. Both require automata over the same alphabet without useless states.

struct InclusionSearch {
  bool holds;
  std::optional<SharedTree> counterexample;  // if it does not hold: a tree of the first language only
  std::uint64_t work;                        // combinations looked at
};

constexpr std::uint64_t no_work_limit = std::numeric_limits<std::uint64_t>::max();

// From the leaves to the root: pairs (q, P) such that some tree reaches q in the first automaton and exactly P in the
// second; only those minimal in P are kept [bouajjani.08.antichain]. `upward`, if given, is the upward simulation,
// induced by the identity, of union_of(first, second), by which more pairs are dropped [abdulla.10.when]. Smaller
// trees are looked at first, so the counterexample is small. Nothing if the limit on work was reached.
[[nodiscard]] std::optional<InclusionSearch> upward_search(const Automaton& first, const Automaton& second,
                                                           const StatePreorder* upward, std::uint64_t work_limit,
                                                           StopToken stop);

// From the root to the leaves: is every tree of q a tree of one of the states of P? [holik.11.efficient]. `downward`,
// if given, is the downward simulation of union_of(first, second). Nothing if the limit on work was reached.
[[nodiscard]] std::optional<InclusionSearch> downward_search(const Automaton& first, const Automaton& second,
                                                             const StatePreorder* downward, std::uint64_t work_limit,
                                                             StopToken stop);

}  // namespace lockwood::treeauto
