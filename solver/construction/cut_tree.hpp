#pragma once

#include "solver/query/tree_alphabet.hpp"
#include "treeauto/automaton/transducer.hpp"

namespace lockwood::solver::reference {

// T_ct: from a tree with well-formed cuts, the tree that the execution had at the cut [nordhoff.13.iterable, Def. 8]:
// what is below a cut is dropped, and a call or use whose body contains the own thread's cut has not returned yet.
//
// As printed, a returning call or use with the own thread's cut in its right child has no rule; it is copied. Threads
// may end: one without a cut is copied as a whole (it has ended before) or dropped with the rest of its parent (it was
// spawned after). If the main thread has ended before the cut, its state is ⊥, which therefore is final too. There are
// trees with several outputs only if their cuts are not well-formed.
[[nodiscard]] treeauto::Transducer cut_tree_transducer(const dpn::TreeAlphabet& alphabet);

}  // namespace lockwood::solver::reference
