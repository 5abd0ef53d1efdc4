#pragma once

#include <optional>
#include <string>

#include "dpn/model/network.hpp"
#include "dpn/trees/execution_tree.hpp"

namespace lockwood::dpn {

// Why a tree is no execution tree, and the node that shows it.
struct TreeProblem {
  NodeId node;
  std::string reason;
};

// Nothing iff some lock-insensitive execution of the network has this tree [nordhoff.13.iterable, Def. 4 and 7]:
// - nodes have rules of their kinds, and each node begins where the one before it led its thread, from the initial
//   configuration on; bodies of returning calls and uses end with a return, those of NCall and Acq do not;
// - an Acq or Use is marked reentrant iff its thread holds the lock already;
// - a thread that has not ended makes every cut that comes after its spawn: it stands (Nil) in the last phase. A thread
//   that has ended may have done so in any phase and has no cuts later on. The last phase is that of the last cut;
// - all threads that a Join waits for have ended, in its phase or before.
[[nodiscard]] std::optional<TreeProblem> tree_problem(const Network& network, const ExecutionTree& tree);

}  // namespace lockwood::dpn
