#pragma once

#include <optional>
#include <variant>

#include "dpn/model/network.hpp"
#include "dpn/trees/execution_tree.hpp"

namespace lockwood::dpn {

// The label of a node of an execution tree.
struct NodeLabel {
  NodeKind kind;
  std::variant<RuleId, Head> what;  // the head of Nil and Cut, the rule of all others
  Reentrance reentrance = Reentrance::No;
  friend bool operator==(const NodeLabel&, const NodeLabel&) = default;
};

[[nodiscard]] NodeLabel label_of(const ExecutionTree& tree, NodeId node);

// The lock that a node with this label takes while its thread does not hold it: of Acq and Use, not reentrant. Only
// these constrain schedules.
[[nodiscard]] std::optional<Lock> taken_lock(const Network& network, const NodeLabel& label);

}  // namespace lockwood::dpn
