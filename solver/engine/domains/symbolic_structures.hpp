#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
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
};

// The locks that the network takes, ascending.
[[nodiscard]] std::vector<Lock> locks_taken(const dpn::Network& network);

// These, in groups that can be used, in turns, inside of each other's regions, by a coarse look: control states are
// ignored. Throws Interrupted.
[[nodiscard]] LockGroups lock_groups(const dpn::Network& network, StopToken stop = {});

// Lock structures (lock_structure.hpp), many at once: a consistent structure is the set of its parts, and a set of
// structures is a family of sets in a decision diagram. So n independent choices between two locks, which make 2ⁿ
// structures of which none is smaller than another, are a diagram of n times some nodes.
//
// The parts that concern the same lock are neighbours: that it is used, acquired or held in a phase, used by the tree's
// own thread, and that it comes after others in an order: those relations come with its use. Relations between locks of
// different groups are left out, for they are in no cycle.
class SymbolicStructures {
 public:
  SymbolicStructures(Exclusion exclusion, PhaseIndex phases, const LockGroups& groups, StopToken stop = {});

  // Whether diagrams of so many parts can be worked with: operations recur as deep as there are parts.
  [[nodiscard]] static bool fits(const LockGroups& groups, PhaseIndex phases);

  [[nodiscard]] const FamilyTable& table() const { return table_; }
  // The empty structure alone.
  [[nodiscard]] SetFamily empty_structure() const { return table_.unit(); }

  // The results of the functions of the same names in lock_structure.hpp for all members, without those that are
  // inconsistent.
  [[nodiscard]] SetFamily join(const SetFamily& left, const SetFamily& right, OwnUses own_uses) const;
  [[nodiscard]] SetFamily monitor(Lock lock, PhaseIndex entered, std::optional<PhaseIndex> returned,
                                  const SetFamily& body) const;
  // Without own uses.
  [[nodiscard]] SetFamily as_thread(const SetFamily& structures) const;

  // What a member may consist of: the set of all parts that are own uses.
  [[nodiscard]] const SetFamily& all_own_uses() const { return own_uses_; }
  // The members as structures. For small families.
  [[nodiscard]] std::vector<LockStructure> structures(const SetFamily& family) const;

 private:
  enum class Part : std::uint8_t {
    Used,
    Acquired,
    Held,
    After,
    Before,
    Own
  };  // After: in acquisition; Before: release
  struct Meaning {
    Part part;
    PhaseIndex phase;
    Lock lock;
    std::optional<Lock> relates;  // After, Before: the lock that is related to `lock`
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

  // Gives the part to the members that have the condition.
  [[nodiscard]] SetFamily add_where(const SetFamily& family, const SetFamily& where, Element added) const;
  [[nodiscard]] SetFamily relate(SetFamily family, const Order& order, Lock lock) const;
  [[nodiscard]] SetFamily consistent(SetFamily family) const;
  [[nodiscard]] SetFamily closed(SetFamily family, const Order& order) const;
  [[nodiscard]] SetFamily closed_through(const SetFamily& family, const Order& order, Lock through,
                                         const FamilyTable::Support& support) const;

  Exclusion exclusion_;
  PhaseIndex phases_;
  std::vector<std::vector<Lock>> groups_;
  IdVector<Lock, LockParts> parts_;
  IdVector<Element, Meaning> meanings_;
  FamilyTable table_;
  SetFamily own_uses_;        // one set: all of them
  SetFamily contradictions_;  // pairs of parts that no consistent structure has
};

}  // namespace lockwood::solver
