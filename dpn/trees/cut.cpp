#include "dpn/trees/cut.hpp"

#include <utility>

#include "dpn/trees/tree_threads.hpp"

namespace lockwood::dpn {

// Phases do not decrease along a path, so what happens after the phase is a set of whole subtrees: those below the cuts
// that end it, and the continuations of the calls that contain one. Leaving them out leaves a complete tree.
ExecutionTree tree_at_cut(const ExecutionTree& tree, std::uint32_t phase, EarlierCuts earlier) {
  const TreeThreads threads = threads_of(tree);
  TreeBuilder builder;
  for (NodeId node : tree.nodes()) {
    if (threads.phase[node] > phase) continue;
    const NodeKind kind = tree.kind(node);
    if (kind == NodeKind::Cut && threads.phase[node] == phase) {
      builder.nil(tree.head(node));
    } else if (kind == NodeKind::Cut && earlier == EarlierCuts::Remove) {
      continue;
    } else if (is_returning(kind) && threads.phase[tree.second_child(node)] > phase) {
      if (kind == NodeKind::RCall) {
        builder.ncall(tree.rule(node));
      } else {
        builder.acq(tree.rule(node), tree.reentrance(node));
      }
    } else {
      builder.copy(tree, node);
    }
  }
  return std::move(builder).build();
}

ExecutionTree without_cuts(const ExecutionTree& tree) {
  TreeBuilder builder;
  for (NodeId node : tree.nodes())
    if (tree.kind(node) != NodeKind::Cut) builder.copy(tree, node);
  return std::move(builder).build();
}

}  // namespace lockwood::dpn
