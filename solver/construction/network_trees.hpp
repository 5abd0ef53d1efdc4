#pragma once

#include "base/process/stop.hpp"
#include "solver/query/tree_alphabet.hpp"
#include "treeauto/automaton/automaton.hpp"

namespace lockwood::solver::reference {

enum class CutNodes { Without, With };

// T_M: the lock-insensitive execution trees of the network [nordhoff.13.iterable, Def. 4], with any number of fitting
// cut nodes anywhere if asked for [ibid., Sect. 2.3]. Corrected in SPAWN: the new thread starts at its own head, holds
// no lock, and may end. Joins are steps.
//
// The states are those (p, γ, p', t, L) that some subtree of a tree with the initial head at its root gets: which
// (p, γ, L) are asked for is found from the root downwards, which (p', t) they can have from the leaves upwards, both
// hand in hand. So no set of locks is tried that no thread can hold, and all states are accessible. (They need not lead
// to a final state: a spawned thread may have no tree that suits its parent.) The names of states are for people.
[[nodiscard]] treeauto::Automaton network_trees(const dpn::TreeAlphabet& alphabet, CutNodes cuts, StopToken stop = {});

}  // namespace lockwood::solver::reference
