#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "dpn/model/query.hpp"
#include "solver/locks/group_structure.hpp"
#include "solver/locks/lock_set.hpp"

namespace lockwood::solver {

// Which locks exclude: none under the lock-insensitive semantics, else all, or only some. Threads hold and want the
// others all the same, but nobody waits for them.
struct Exclusion {
  dpn::Semantics semantics = dpn::Semantics::LockSensitive;
  const IdVector<Lock, bool>* only = nullptr;

  [[nodiscard]] bool by(Lock lock) const {
    return semantics == dpn::Semantics::LockSensitive && (only == nullptr || (*only)[lock]);
  }
};

// A relation between locks, kept transitively closed, as a sorted list of rows: lock ↦ the locks it is related to.
// Which way the arrows point is the user's business; only cycles matter.
class LockOrder {
 public:
  struct Row {
    Lock lock;
    LockSet related;
    friend bool operator==(const Row&, const Row&) = default;
  };
  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
  [[nodiscard]] bool empty() const { return rows_.empty(); }

  // Adds all pairs {lock} × related and closes transitively. Returns false iff the relation now has a cycle; it is of
  // no further use then.
  [[nodiscard]] bool relate(Lock lock, const LockSet& related);
  [[nodiscard]] bool relate(const LockOrder& other);
  [[nodiscard]] bool subset_of(const LockOrder& other) const;
  [[nodiscard]] std::size_t hash() const;
  friend bool operator==(const LockOrder&, const LockOrder&) = default;
  // Rows ascend, none is empty, and the relation is transitive and has no cycle.
  void check_invariants() const;

 private:
  LockSet& row_of(Lock lock);
  [[nodiscard]] bool close();

  std::vector<Row> rows_;  // by lock, none empty
};

// What the threads of a subtree do to locks in one phase.
struct PhaseLocks {
  LockSet acquired;       // A: acquired in the phase and held at its end
  LockSet used;           // U: used or acquired in the phase by any thread
  LockSet held;           // H: acquired before the phase and held throughout it
  LockOrder acquisition;  // G: x ↦ what is used after x was finally acquired, inside its region
  LockOrder release;  // R: x ↦ what its thread must use before it can release x, which it held when the phase began
  friend bool operator==(const PhaseLocks&, const PhaseLocks&) = default;
};

// The lock structure of an execution tree: what decides whether it can be scheduled together with other trees. Holds
// the acquisition structure [nordhoff.13.iterable, Def. 6] and the release structure [ibid., Defs. 10 and 11] per
// phase.
//
// A structure is *consistent* iff in every phase both orders are acyclic and no lock is held throughout the phase and
// used in it. All operations below return nothing when the result would be inconsistent: adding to an inconsistent
// structure never mends it. They are monotone in ⊑ (componentwise inclusion), so a smaller structure can replace a
// larger one in every tree.
struct LockStructure {
  // M: used by the tree's own thread in the phase in which it returned, or by members that it started and joined in it.
  LockSet own_uses;
  std::vector<PhaseLocks> phases;  // all of the query's phases
  GroupStructure groups;           // empty if the network has no groups
  friend bool operator==(const LockStructure&, const LockStructure&) = default;
  [[nodiscard]] std::size_t hash() const;
  // The structure is consistent, and its parts fit together: what is acquired is used, and what the own thread used was
  // used in some phase.
  void check_invariants() const;
};

[[nodiscard]] bool subsumes(const LockStructure& smaller, const LockStructure& larger);

// The uses of the tree's own thread that the result of a join keeps beside the right tree's.
enum class OwnUses { OfRight, OfBoth };

// Two subtrees of one tree: a thread beside its parent, or what a thread does first and what it does next.
// `right_returned`: the phase in which the right tree, and so the whole, has returned; nothing if it stands. It matters
// only if there are groups: members that the left one leaves behind are joined or forgotten by the right one. Requires
// equal numbers of phases.
[[nodiscard]] std::optional<LockStructure> join(const LockStructure& left, const LockStructure& right, OwnUses own_uses,
                                                std::optional<PhaseIndex> right_returned = std::nullopt);

// A monitor on `lock`, not held by the thread before, entered in phase `entered`, around a body that returned in phase
// `returned`, or did not return.
[[nodiscard]] std::optional<LockStructure> monitor(Lock lock, PhaseIndex entered, std::optional<PhaseIndex> returned,
                                                   const LockStructure& body);

// A thread, seen from outside: without own uses and groups. `end`: the phase in which it ends, if it does.
// `offspring`: some group has the offspring of its members, so it is noted when the thread and its offspring end.
[[nodiscard]] LockStructure as_thread(const LockStructure& thread, std::optional<PhaseIndex> end, bool offspring);

// The start, in a phase, of a thread that is a member of groups, before its parent goes on: a tree that has returned in
// that phase. The others as before.
[[nodiscard]] LockStructure fork(const LockStructure& thread, std::optional<PhaseIndex> end, bool offspring,
                                 PhaseIndex phase, std::span<const dpn::Membership> memberships);

// A step by which groups are joined in a phase, or forgotten, before the rest.
[[nodiscard]] LockStructure join_groups(const LockStructure& rest, PhaseIndex phase, std::span<const Group> groups);
[[nodiscard]] LockStructure forget_groups(const LockStructure& rest, std::span<const Group> groups);

// The body of a call that opens groups: nobody outside has to do with them.
[[nodiscard]] LockStructure open_groups(const LockStructure& body, std::span<const Group> groups);

}  // namespace lockwood::solver
