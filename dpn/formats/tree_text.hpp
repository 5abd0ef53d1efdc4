#pragma once

#include <string>
#include <string_view>

#include "base/process/stop.hpp"
#include "dpn/model/network.hpp"
#include "dpn/trees/execution_tree.hpp"

namespace lockwood::dpn {

// One line per node, in preorder: what a thread does stays in one column, and a left child (the new thread of a spawn,
// the body of a call or use that returns) is indented below its node:
//
//     Spawn m1 -- a --> m2 [spawns t1]
//       Nil t1
//     Use m2 -- a --> b1 [acquires x, returns to m3]
//       Ret b1 -- a --> return
//     Nil m3
//
// From a depth of 40 on, the indentation is a number. Requires rules and heads of the network.
[[nodiscard]] std::string to_text(const Network& network, const ExecutionTree& tree);

// The tree as a picture for Graphviz, a graph of this name and title; edges to new threads are dashed. Throws
// Interrupted if asked to stop.
[[nodiscard]] std::string to_dot(const Network& network, const ExecutionTree& tree, std::string_view title = "tree",
                                 StopToken stop = {});

}  // namespace lockwood::dpn
