#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "dpn/semantics/configuration.hpp"
#include "dpn/trees/execution_tree.hpp"

namespace lockwood::dpn {

// Who does what and when in an execution tree, read off in one pass. Threads are numbered by their paths of spawns, in
// lexicographic order (main, main.1, main.1.1, main.2, …), which is the order in which their first nodes appear: the
// order of their creation is not determined by the tree.
struct TreeThreads {
  struct Start {
    std::optional<ThreadId> parent;  // none for the main thread
    std::uint32_t phase;             // in which it was spawned
    NodeId node;                     // its first one
  };
  IdVector<ThreadId, Start> starts;
  IdVector<NodeId, ThreadId> thread;      // of each node
  IdVector<NodeId, std::uint32_t> phase;  // of each node; of a cut: the phase that it ends
  IdVector<NodeId, NodeId> entry;         // of a return that ends a body: the RCall or Use; of any other node: itself
  std::uint32_t phases = 0;               // as far as the tree shows: all-ended threads leave no trace of later phases

  // The nodes of one thread in the order of their execution.
  [[nodiscard]] std::span<const NodeId> path(ThreadId id) const {
    return std::span{paths}.subspan(path_begins[id.index()], path_begins[id.index() + 1] - path_begins[id.index()]);
  }

  std::vector<NodeId> paths;               // those of all threads, one after the other
  std::vector<std::uint32_t> path_begins;  // by thread, and the end of the last one
};

[[nodiscard]] TreeThreads threads_of(const ExecutionTree& tree);

}  // namespace lockwood::dpn
