#include "dpn/trees/tree_threads.hpp"

#include <algorithm>
#include <numeric>

namespace lockwood::dpn {
namespace {

// A binary node whose second child is still to come.
struct Waiting {
  NodeId node;
  ThreadId thread;
  std::uint32_t phase;
};

// Nodes grouped by thread, in the order of their ids: a counting sort.
void group_by_thread(TreeThreads& threads) {
  threads.path_begins.assign(threads.starts.size() + 1, 0);
  for (ThreadId thread : threads.thread) ++threads.path_begins[thread.index() + 1];
  std::partial_sum(threads.path_begins.begin(), threads.path_begins.end(), threads.path_begins.begin());
  threads.paths.assign(threads.thread.size(), ExecutionTree::root);
  std::vector<std::uint32_t> next = threads.path_begins;
  for (NodeId node : threads.thread.keys()) threads.paths[next[threads.thread[node].index()]++] = node;
}

}  // namespace

// In preorder, a leaf is followed by the second child of the innermost binary node that waits for one. After a spawn
// that is the spawning thread in the phase of the spawn; after a call or use, the same thread in the phase of the
// return.
TreeThreads threads_of(const ExecutionTree& tree) {
  TreeThreads threads;
  threads.thread = IdVector<NodeId, ThreadId>(tree.size(), main_thread);
  threads.phase = IdVector<NodeId, std::uint32_t>(tree.size());
  threads.entry = IdVector<NodeId, NodeId>(tree.size(), ExecutionTree::root);
  std::vector<Waiting> waiting;
  ThreadId thread = threads.starts.push_back({std::nullopt, 0, ExecutionTree::root});
  std::uint32_t phase = 0;
  for (NodeId node : tree.nodes()) {
    const NodeKind kind = tree.kind(node);
    threads.thread[node] = thread;
    threads.phase[node] = phase;
    threads.entry[node] = node;
    threads.phases = std::max(threads.phases, phase + 1);
    if (kind == NodeKind::Cut) ++phase;
    if (rank(kind) == 2) waiting.push_back({node, thread, phase});
    if (kind == NodeKind::Spawn) thread = threads.starts.push_back({thread, phase, tree.first_child(node)});
    if (rank(kind) > 0 || waiting.empty()) continue;
    if (tree.kind(waiting.back().node) == NodeKind::Spawn) {
      phase = waiting.back().phase;
    } else {
      threads.entry[node] = waiting.back().node;
    }
    thread = waiting.back().thread;
    waiting.pop_back();
  }
  group_by_thread(threads);
  return threads;
}

}  // namespace lockwood::dpn
