#pragma once

#include "base/process/stop.hpp"
#include "treeauto/automaton/automaton.hpp"
#include "treeauto/counting/count.hpp"

namespace lockwood::treeauto {

// How many trees the automaton accepts, of whatever size. Requires that these are finitely many. One that is not
// deterministic is made so; then the number of multiplications is linear, however large the trees are.
[[nodiscard]] BigInteger count_all_trees(const Automaton& automaton, StopToken stop = {});

}  // namespace lockwood::treeauto
