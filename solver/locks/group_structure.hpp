#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "dpn/model/rule.hpp"
#include "solver/locks/lock_set.hpp"

namespace lockwood::solver {

using dpn::Group;
using PhaseIndex = std::size_t;

// When a thread ends: in a phase, or, if it is at the end of the last one, never. So ends are compared as numbers.
using EndPhase = std::uint32_t;
inline constexpr EndPhase never = static_cast<EndPhase>(-1);
[[nodiscard]] constexpr EndPhase end_in(std::optional<PhaseIndex> phase) {
  return phase ? static_cast<EndPhase>(*phase) : never;
}

// What a subtree does to groups of its own thread, as far as other subtrees must know (docs/theory.md, Sect. 10.5): to
// the members that it leaves behind, what follows must react; it reacts to those that came before.
struct GroupStructure {
  // P: members of a group that were started here and are neither joined nor forgotten here.
  struct Left {
    Group group;
    EndPhase last_end;          // m: when the last of them ends
    std::vector<LockSet> uses;  // W: by phase, the locks that they use in it
    friend bool operator==(const Left&, const Left&) = default;
  };
  // D: what happens first to a group here: it is joined in a phase, or forgotten.
  struct First {
    Group group;
    std::optional<PhaseIndex> joined;
    LockSet released;  // Q: locks held when that phase began, and released in it, here, after the join
    friend bool operator==(const First&, const First&) = default;
  };

  std::vector<Left> left;    // by group
  std::vector<First> first;  // by group
  PhaseIndex returned = 0;   // k', if there are members left: the own thread has returned
  // e: when the last thread that was started here, at any depth, ends. Only if it ends after the own thread returned;
  // and only if some group has the offspring of its members.
  std::optional<EndPhase> offspring_end;

  [[nodiscard]] bool empty() const { return left.empty() && first.empty() && !offspring_end; }
  [[nodiscard]] const First* first_of(Group group) const;
  [[nodiscard]] std::size_t hash() const;
  friend bool operator==(const GroupStructure&, const GroupStructure&) = default;

  // Groups ascend; of the members that are left, only what can still matter is kept.
  void check_invariants(PhaseIndex phases) const;

  // Leaves out what can make no difference when the own thread has returned in a phase, or stands.
  void normalise(std::optional<PhaseIndex> own_return);
};

// The smaller one can replace the larger one in every tree (docs/theory.md, Sect. 10.6). Both have the same outcome.
// `larger_own_uses`: M of the larger one. Not only inclusion: what was forgotten can wait for nothing.
[[nodiscard]] bool subsumes(const GroupStructure& smaller, const GroupStructure& larger,
                            const LockSet& larger_own_uses);

// P of two subtrees one after the other, without what the second one joins or forgets.
[[nodiscard]] std::vector<GroupStructure::Left> left_of_both(const std::vector<GroupStructure::Left>& a,
                                                             const std::vector<GroupStructure::Left>& b);

}  // namespace lockwood::solver
