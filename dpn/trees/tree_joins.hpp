#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "dpn/model/network.hpp"
#include "dpn/trees/execution_tree.hpp"
#include "dpn/trees/tree_threads.hpp"

namespace lockwood::dpn {

// Threads that a join waits for: a member, or with `all` the member and its offspring. Threads are numbered by their
// paths of spawns, so the offspring of a thread are the next numbers.
struct AwaitedThreads {
  ThreadId first;      // the member
  ThreadId end;        // behind the last one
  std::uint32_t fork;  // of the node that starts the member: its index in the path of the waiting thread
};

struct TreeJoin {
  NodeId node;
  std::vector<AwaitedThreads> awaited;
};

// Who waits for whom in an execution tree: the part of its causal order that the tree does not show (docs/theory.md,
// Sect. 10.2). The last return of each awaited thread comes before the join.
struct TreeJoins {
  std::vector<TreeJoin> joins;                               // by ascending node
  IdVector<ThreadId, ThreadId> offspring_end;                // behind the last thread that it starts, at any depth
  IdVector<ThreadId, std::optional<std::uint32_t>> end;      // the phase in which it ends; none if it stands
  IdVector<ThreadId, std::optional<std::uint32_t>> all_end;  // in which it and its offspring have ended; none likewise

  // The phase in which the last of the threads ends; none if one of them stands.
  [[nodiscard]] std::optional<std::uint32_t> end_of(const AwaitedThreads& awaited) const {
    return awaited.end.index() > awaited.first.index() + 1 ? all_end[awaited.first] : end[awaited.first];
  }
};

// Requires that nodes have rules of their kinds. A thread that was waited for is forgotten: it has ended, or else the
// tree is no execution tree anyway.
[[nodiscard]] TreeJoins joins_of(const Network& network, const ExecutionTree& tree, const TreeThreads& threads);

// Whether some thread waits for another one.
[[nodiscard]] bool has_joins(const ExecutionTree& tree);

}  // namespace lockwood::dpn
