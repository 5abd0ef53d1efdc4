#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "base/process/stop.hpp"
#include "dpn/model/network.hpp"
#include "dpn/model/query.hpp"
#include "solver/locks/lock_structure.hpp"
#include "solver/locks/zdd.hpp"

namespace lockwood::solver {

// Which locks there are, and which of them may be in one cycle of an order: disjoint groups of two or more, ascending.
struct LockGroups {
  std::vector<Lock> locks;
  std::vector<std::vector<Lock>> groups;
  std::size_t thread_groups = 0;  // groups of threads, which can be joined
};

// The locks that the network takes, ascending.
[[nodiscard]] std::vector<Lock> locks_taken(const dpn::Network& network);

// These, in groups that can be used, in turns, inside of each other's regions, by a coarse look: control states are
// ignored. What a thread uses that is joined in a region is used inside of the region. Throws Interrupted.
[[nodiscard]] LockGroups lock_groups(const dpn::Network& network, StopToken stop = {});

// Lock structures (lock_structure.hpp), many at once: a consistent structure is the set of its parts, and a set of
// structures is a family of sets in a decision diagram. So n independent choices between two locks, which make 2ⁿ
// structures of which none is smaller than another, are a diagram of n times some nodes.
//
// The parts that concern the same lock are neighbours: that it is used, acquired or held in a phase, used by the tree's
// own thread, and that it comes after others in an order: those relations come with its use. Relations between locks of
// different groups are left out, for they are in no cycle.
//
// If threads are members of groups, there are further parts: which locks members use that were started here and are
// left behind, by phase (W), and which locks are released after a join (Q). The rest of a group structure is a *shape*:
// which groups are joined or forgotten first, and when members end. It is not in the diagrams, since a structure can
// only replace another one of the same shape if it has fewer parts (docs/theory.md, Sect. 10.6).
class SymbolicStructures {
 public:
  SymbolicStructures(Exclusion exclusion, PhaseIndex phases, const LockGroups& groups, StopToken stop = {});

  // Whether diagrams of so many parts can be worked with: operations recur as deep as there are parts.
  [[nodiscard]] static bool fits(const LockGroups& groups, PhaseIndex phases);

  [[nodiscard]] const FamilyTable& table() const { return table_; }
  // The empty structure alone.
  [[nodiscard]] SetFamily empty_structure() const { return table_.unit(); }

  // The results of the functions of the same names in lock_structure.hpp for all members, without those that are
  // inconsistent. Shapes are group structures without locks; the order of parts tells what they need of them.
  [[nodiscard]] SetFamily join(const SetFamily& left, const SetFamily& right, OwnUses own_uses) const;
  // The same, if the two may have to do with the same groups. Requires that their shapes go together.
  [[nodiscard]] SetFamily join(const SetFamily& left, const GroupStructure& left_shape, const SetFamily& right,
                               const GroupStructure& right_shape, OwnUses own_uses,
                               std::optional<PhaseIndex> right_returned) const;
  [[nodiscard]] SetFamily monitor(Lock lock, PhaseIndex entered, std::optional<PhaseIndex> returned,
                                  const SetFamily& body, const GroupStructure& body_shape) const;
  // Without own uses, and what concerns groups.
  [[nodiscard]] SetFamily as_thread(const SetFamily& structures) const;
  [[nodiscard]] SetFamily fork(const SetFamily& thread, std::optional<PhaseIndex> end, PhaseIndex phase,
                               std::span<const dpn::Membership> memberships) const;
  // Of a step by which groups are joined or forgotten, before the rest.
  [[nodiscard]] SetFamily change_groups(const SetFamily& rest, std::span<const Group> groups) const;
  [[nodiscard]] SetFamily open_groups(const SetFamily& body, std::span<const Group> groups) const;

  // What a subtree may have that is no part of the whole: own uses, and what concerns groups. One set.
  [[nodiscard]] const SetFamily& vanishing_parts() const { return vanishing_; }
  // The members as structures. For small families.
  [[nodiscard]] std::vector<LockStructure> structures(const SetFamily& family) const;

 private:
  enum class Part : std::uint8_t {
    Used,
    Acquired,
    Held,
    After,
    Before,
    Own,
    Member,      // used in the phase by members of the group
    Released,    // released after the join of the group
    Joined,      // only while two structures are joined: Member of the left one
    JoinedFirst  // likewise: Released of the right one
  };             // After: in acquisition; Before: release
  struct Meaning {
    Part part;
    PhaseIndex phase;
    Lock lock;
    std::optional<Lock> relates;      // After, Before: the lock that is related to `lock`
    std::optional<Group> group = {};  // Member and the parts behind it
  };
  struct LockParts {
    std::size_t group = 0;     // beyond all: none
    std::size_t position = 0;  // in the group
    Element first{0};
  };
  struct Order {
    Part part;  // After or Before
    PhaseIndex phase;
  };

  [[nodiscard]] static std::size_t parts_of_phase(std::size_t group_size) { return 3 + 2 * group_size; }
  [[nodiscard]] static IdVector<Element, Meaning> layout(const LockGroups& groups, PhaseIndex phases);
  [[nodiscard]] std::size_t group_size(const LockParts& parts) const {
    return parts.group < groups_.size() ? groups_[parts.group].size() : 0;
  }
  [[nodiscard]] Element part(Part part, PhaseIndex phase, Lock lock) const;
  [[nodiscard]] Element own(Lock lock) const;
  [[nodiscard]] Element relation(const Order& order, Lock from, Lock to) const;
  // Of the parts about groups; `phase` is for Member only.
  [[nodiscard]] Element group_part(Part part, Group group, Lock lock, PhaseIndex phase = 0) const;
  [[nodiscard]] static std::size_t parts_of_group(PhaseIndex phases) { return phases + 3; }

  // One set: the parts about groups for which `wanted` holds.
  template <class Wanted>
  [[nodiscard]] SetFamily parts_where(const Wanted& wanted) const;
  [[nodiscard]] SetFamily without(const SetFamily& family, const SetFamily& parts) const;
  [[nodiscard]] SetFamily renamed(const SetFamily& family, Element from, Element to) const;
  [[nodiscard]] SetFamily relate_members(SetFamily family, Group group, PhaseIndex phase) const;

  // Gives the part to the members that have the condition.
  [[nodiscard]] SetFamily add_where(const SetFamily& family, const SetFamily& where, Element added) const;
  [[nodiscard]] SetFamily relate(SetFamily family, const Order& order, Lock lock) const;
  [[nodiscard]] SetFamily consistent(SetFamily family) const;
  [[nodiscard]] SetFamily closed(SetFamily family, const Order& order) const;
  [[nodiscard]] SetFamily closed_through(const SetFamily& family, const Order& order, Lock through,
                                         const FamilyTable::Support& support) const;

  Exclusion exclusion_;
  PhaseIndex phases_;
  std::vector<Lock> locks_;
  std::vector<std::vector<Lock>> groups_;
  std::size_t thread_groups_;
  IdVector<Lock, LockParts> parts_;
  IdVector<Element, Meaning> meanings_;
  FamilyTable table_;
  SetFamily own_uses_;        // one set: all of them
  SetFamily vanishing_;       // one set: own uses, and parts about groups
  SetFamily contradictions_;  // pairs of parts that no consistent structure has
};

}  // namespace lockwood::solver
