#pragma once

#include <cassert>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "base/ids/id.hpp"
#include "dpn/model/network.hpp"
#include "dpn/model/query.hpp"
#include "solver/locks/lock_structure.hpp"

#include <tsl/hopscotch_map.h>

namespace lockwood::solver {

using StructureId = Id<struct StructureTag>;
using LockSetId = Id<struct LockSetTag>;

struct PairHash {
  std::size_t operator()(const std::pair<std::uint64_t, std::uint64_t>& key) const {
    return mixed(mixed(0, key.first), key.second);
  }
};

// Whether the network has groups, and groups that have the offspring of their members.
enum class GroupUse : std::uint8_t { None, Members, Offspring };
[[nodiscard]] GroupUse group_use(const dpn::Network& network);

// The lock structures and sets of held locks of one run, each kept once and named by a number, and the operations on
// them remembered: the engine asks for the same joins over and over. Locks that do not exclude are in no structure.
class LockDomain {
 public:
  LockDomain(Exclusion exclusion, PhaseIndex phases, GroupUse groups = GroupUse::None);

  static constexpr StructureId empty{0};
  static constexpr LockSetId no_locks{0};

  [[nodiscard]] const LockStructure& structure(StructureId id) const {
    assert(id.index() < structures_.size());
    return structures_[id.index()];
  }
  [[nodiscard]] std::size_t structure_count() const { return structures_.size(); }
  [[nodiscard]] const LockSet& lock_set(LockSetId id) const {
    assert(id.index() < lock_sets_.size());
    return lock_sets_[id.index()];
  }

  // As the functions of the same names in lock_structure.hpp.
  [[nodiscard]] std::optional<StructureId> join(StructureId left, StructureId right, OwnUses own_uses,
                                                std::optional<PhaseIndex> right_returned = std::nullopt);
  [[nodiscard]] std::optional<StructureId> monitor(Lock lock, PhaseIndex entered, std::optional<PhaseIndex> returned,
                                                   StructureId body);
  [[nodiscard]] bool subsumes(StructureId smaller, StructureId larger) const {
    // A structure below another one has no bit that the other one lacks: the bits may only save a comparison.
    assert((signatures_[smaller.index()] & ~signatures_[larger.index()]) == 0 ||
           !solver::subsumes(structure(smaller), structure(larger)));
    return smaller == larger || (smaller == empty && groups_ == GroupUse::None) ||
           ((signatures_[smaller.index()] & ~signatures_[larger.index()]) == 0 &&
            solver::subsumes(structure(smaller), structure(larger)));
  }
  // The same if they were asked for before, for several threads at a time; otherwise nothing.
  using Result = std::optional<StructureId>;
  [[nodiscard]] std::optional<Result> known_join(StructureId left, StructureId right, OwnUses own_uses,
                                                 std::optional<PhaseIndex> right_returned = std::nullopt) const;
  [[nodiscard]] std::optional<Result> known_as_thread(StructureId thread, std::optional<PhaseIndex> end) const;
  [[nodiscard]] std::optional<Result> known_monitor(Lock lock, PhaseIndex entered, std::optional<PhaseIndex> returned,
                                                    StructureId body) const;
  // The structure of a tree of one phase that lies inside a monitor on `lock`, finally acquired: its uses come after
  // the acquisition, which itself is not part of the structure.
  [[nodiscard]] std::optional<StructureId> after_acquisition(Lock lock, StructureId inside);
  // All that another thread needs to know of a thread that ends in this phase, or does not end.
  [[nodiscard]] StructureId as_thread(StructureId thread, std::optional<PhaseIndex> end = std::nullopt);
  // What a rule about groups does, used in a phase. Requires a rule of that kind, and that the domain knows of groups.
  [[nodiscard]] StructureId fork(const dpn::Network& network, dpn::RuleId rule, PhaseIndex phase, StructureId thread,
                                 std::optional<PhaseIndex> end);
  [[nodiscard]] StructureId join_groups(const dpn::Network& network, dpn::RuleId rule, PhaseIndex phase,
                                        StructureId rest);
  [[nodiscard]] StructureId forget_groups(const dpn::Network& network, dpn::RuleId rule, StructureId rest);
  [[nodiscard]] StructureId open_groups(const dpn::Network& network, dpn::RuleId rule, StructureId body);
  [[nodiscard]] LockSetId with(LockSetId set, Lock lock);

 private:
  // Numbers values in the order of their first appearance, by hash and comparison.
  template <class Value>
  class Interner {
   public:
    std::uint32_t intern(Value value, std::deque<Value>& values);

   private:
    tsl::hopscotch_map<std::size_t, std::vector<std::uint32_t>> by_hash_;
  };
  using Key = std::pair<std::uint64_t, std::uint64_t>;
  using Memory = tsl::hopscotch_map<Key, std::optional<StructureId>, PairHash>;

  [[nodiscard]] Key join_key(StructureId left, StructureId right, OwnUses own_uses,
                             std::optional<PhaseIndex> right_returned) const;
  [[nodiscard]] static Key rule_key(dpn::RuleId rule, StructureId structure, std::uint64_t phases);
  [[nodiscard]] static Key thread_key(StructureId thread, std::optional<PhaseIndex> end);
  template <class Compute>
  [[nodiscard]] StructureId remembered(const Key& key, const Compute& compute);
  [[nodiscard]] static Key monitor_key(Lock lock, PhaseIndex entered, std::optional<PhaseIndex> returned,
                                       StructureId body);
  [[nodiscard]] std::optional<StructureId> interned(std::optional<LockStructure> structure);

  Exclusion exclusion_;
  GroupUse groups_;
  std::deque<LockStructure> structures_;
  // A few bits for each structure, of which a larger one has all: most comparisons fail, and need not look further.
  std::vector<std::uint64_t> signatures_;
  std::deque<LockSet> lock_sets_;
  Interner<LockStructure> structure_numbers_;
  Interner<LockSet> lock_set_numbers_;
  Memory joins_;
  Memory monitors_;
  Memory group_steps_;  // by rule, structure and phases
  tsl::hopscotch_map<Key, LockSetId, PairHash> additions_;
};

}  // namespace lockwood::solver
