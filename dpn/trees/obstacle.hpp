#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "dpn/model/network.hpp"
#include "dpn/trees/execution_tree.hpp"

// Why an execution tree has no lock-sensitive schedule, as evidence for people: nodes of the tree that are in each
// other's way. A node *keeps* its lock if it takes it in a phase and has not given it back by the end of the phase.
// Phases are counted from 0.
namespace lockwood::dpn {

// Two threads keep the same lock to the end of a phase.
struct KeptTwice {
  std::uint32_t phase;
  Lock lock;
  NodeId first;
  NodeId second;
  friend bool operator==(const KeptTwice&, const KeptTwice&) = default;
};

// A lock that was taken before a phase and is held throughout it is taken in it, by another thread.
struct HeldThroughout {
  std::uint32_t phase;
  Lock lock;
  NodeId holder;  // where it was taken
  NodeId taker;
  friend bool operator==(const HeldThroughout&, const HeldThroughout&) = default;
};

// An edge of a cycle: who has the lock, and where the lock of the next edge is taken too late or too early for that.
struct LockEdge {
  Lock lock;
  NodeId holder;  // takes the lock
  NodeId taker;   // takes the lock of the next edge
  friend bool operator==(const LockEdge&, const LockEdge&) = default;
};

// A cycle of the acquisition graph: each holder keeps its lock, and inside its region the taker takes a lock that must
// therefore be kept only later on, by the holder of the next edge.
struct AcquisitionCycle {
  std::uint32_t phase;
  std::vector<LockEdge> edges;
  friend bool operator==(const AcquisitionCycle&, const AcquisitionCycle&) = default;
};

// A cycle of the release graph: each holder took its lock before the phase; its thread gives it back in the phase, but
// before that takes, at the taker, the lock of the next edge, or joins a thread that does.
struct ReleaseCycle {
  std::uint32_t phase;
  std::vector<LockEdge> edges;
  friend bool operator==(const ReleaseCycle&, const ReleaseCycle&) = default;
};

// A thread takes a lock and gives it back in one phase, and in between starts and joins a thread that takes the lock,
// or waits for one that does.
struct HeldAcrossJoin {
  std::uint32_t phase;
  Lock lock;
  NodeId holder;
  NodeId taker;
  NodeId join;
  friend bool operator==(const HeldAcrossJoin&, const HeldAcrossJoin&) = default;
};

using Obstacle = std::variant<KeptTwice, HeldThroughout, AcquisitionCycle, ReleaseCycle, HeldAcrossJoin>;

// An obstacle in the first phase that has any; cycles are as short as any of their kind in that phase and begin with
// the first of their threads. Nothing iff the
// tree has a lock-sensitive schedule in which all moves of a phase precede those of the next (see schedule.hpp).
// Requires a valid tree (see tree_validity.hpp). Takes almost linear time in the tree if there is no cycle, and no
// thread waits for another one. If some
// locks are given, only these exclude.
[[nodiscard]] std::optional<Obstacle> obstacle(const Network& network, const ExecutionTree& tree,
                                               const IdVector<Lock, bool>* excluding = nullptr);

// The locks that an obstacle is about.
[[nodiscard]] std::vector<Lock> locks_of(const Obstacle& obstacle);

// One sentence with the names of threads and program points: "main holds a (taken at m2) and needs b (at m4); main.1
// holds b (taken at t2) and needs a (at t3)". Phases are counted from 1, and named only if there are several.
[[nodiscard]] std::string to_text(const Network& network, const ExecutionTree& tree, const Obstacle& obstacle);

}  // namespace lockwood::dpn
