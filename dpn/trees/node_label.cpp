#include "dpn/trees/node_label.hpp"

namespace lockwood::dpn {

NodeLabel label_of(const ExecutionTree& tree, NodeId node) {
  const NodeKind kind = tree.kind(node);
  if (has_head(kind)) return {kind, tree.head(node)};
  return {kind, tree.rule(node), is_monitor(kind) ? tree.reentrance(node) : Reentrance::No};
}

std::optional<Lock> taken_lock(const Network& network, const NodeLabel& label) {
  if (!is_monitor(label.kind) || label.reentrance == Reentrance::Yes) return std::nullopt;
  return entry_of(network.rule(std::get<RuleId>(label.what)))->lock;
}

}  // namespace lockwood::dpn
