#pragma once

#include <optional>

#include "dpn/model/network.hpp"
#include "dpn/trees/execution_tree.hpp"

namespace lockwood::dpn::reference {

// The theorem of docs/theory.md, Sect. 10.3, written down literally: the causal order as a relation on all pairs of
// nodes, and each condition by looking at all nodes. Which of the conditions 2 to 5 the tree violates first; none iff
// it has a lock-sensitive schedule. Requires a valid tree (which is condition 1).
[[nodiscard]] std::optional<int> violated_condition(const Network& network, const ExecutionTree& tree);

}  // namespace lockwood::dpn::reference
