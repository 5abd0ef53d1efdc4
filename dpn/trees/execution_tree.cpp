#include "dpn/trees/execution_tree.hpp"

#include <utility>

namespace lockwood::dpn {

NodeId TreeBuilder::append(ExecutionTree::Node node) {
  assert(!complete());
  const NodeId id = tree_.nodes_.push_back(node);
  if (!expects_first_) {
    tree_.nodes_[waiting_.back()].second = static_cast<std::uint32_t>(id.index());
    waiting_.pop_back();
  }
  expects_first_ = rank(node.kind) > 0;
  if (rank(node.kind) == 2) waiting_.push_back(id);
  return id;
}

NodeId TreeBuilder::append_rule(NodeKind kind, RuleId rule, Reentrance reentrance) {
  return append({kind, reentrance, static_cast<std::uint32_t>(rule.index()), 0});
}

NodeId TreeBuilder::append_head(NodeKind kind, Head head) {
  return append({kind, Reentrance::No, static_cast<std::uint32_t>(head.control.index()),
                 static_cast<std::uint32_t>(head.top.index())});
}

NodeId TreeBuilder::copy(const ExecutionTree& tree, NodeId node) { return append(tree.nodes_[node]); }

ExecutionTree TreeBuilder::build() && {
  assert(complete());
  return std::move(tree_);
}

}  // namespace lockwood::dpn
