#pragma once

#include "base/stop.hpp"
#include "treeauto/automaton.hpp"
#include "treeauto/count.hpp"

namespace lockwood::treeauto {

/// How many trees the automaton accepts, of whatever size. Requires that these are finitely many. One that is not
/// deterministic is made so; then the number of multiplications is linear, however large the trees are.
[[nodiscard]] BigInteger count_all_trees(const Automaton& automaton, StopToken stop = {});

}  // namespace lockwood::treeauto
