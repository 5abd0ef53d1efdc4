#pragma once

#include <optional>
#include <span>
#include <vector>

#include "explorer/reduction/dependence.hpp"
#include "explorer/reduction/oracle.hpp"

namespace lockwood::explorer {

// Frozen sets: which threads it is enough to move at a state.
//
// Let F be a set of threads, and freeze them. F is valid if
//   (i)   no thread outside F, and none that one of them starts later, can come to be before an action in D(a_t)
//         while F is frozen, for every t in F whose next action a_t is enabled;
//   (ii)  for every t in F whose action is not enabled, no thread outside F can enable it while F is frozen;
//   (iii) some a_t is enabled.
// Then the enabled actions of F are enough. Let σ lead from here to a state r that we look for. If a thread of F moves
// in σ, take the first such move, b by t. By (ii), b was enabled all the time; by (i), it commutes with all before it:
// it moves to the front, same r, shorter rest. If no thread of F moves, r is not final, by (iii). If r is a state in
// which two threads are before conflicting accesses, then both are in F, and stand there already; or one of them is,
// against (i); or none: any move of F commutes with σ, and both still stand there. Failures and cycles of owned
// monitors stay for ever, like those. That a move is not postponed for ever is the search's concern (its proviso).
//
// Two differences from the usual formulation, both allowed by this proof: (i) is not asked of disabled threads, since
// they are not the first of F to move; and a thread that is stuck while F is frozen need not be in F to keep others
// blocked.
class FrozenSets {
 public:
  // The oracles are asked in this order; the first "cannot" counts. They must outlive this object.
  FrozenSets(const DependenceTable& table, std::vector<Oracle*> oracles)
      : table_{table}, oracles_{std::move(oracles)} {}

  // The enabled threads of a valid set, ascending: as few as possible, one if `first` alone is valid. Empty if nobody
  // is enabled. `first` is tried before all others.
  [[nodiscard]] std::span<const ThreadId> choose(const Machine& machine, std::optional<ThreadId> first);

  // Whether this thread, which is enabled, is a valid set by itself.
  [[nodiscard]] bool is_valid_alone(const Machine& machine, ThreadId thread);

  // Sleeping threads: each of them, enabled, may only move when another thread has done something that its own next
  // action depends on. Whether that may come true for all of them: first by threads that are awake, and then by those
  // that have been woken, too. If not, some z is never woken: whatever is done here commutes with what z is about to
  // do, so that the runs on which z moves first stand for all that are left.
  [[nodiscard]] bool can_wake_all(const Machine& machine, std::span<const ThreadId> asleep);
  // Whether this thread may be the one that wakes z, a sleeping one, while all that are asleep stay so.
  [[nodiscard]] bool can_wake(const Machine& machine, ThreadId thread, ThreadId z, std::span<const ThreadId> asleep);

  [[nodiscard]] std::size_t questions() const { return questions_; }

 private:
  void freeze(const Machine& machine, std::span<const ThreadId> threads);
  // What wakes a thread that is frozen.
  [[nodiscard]] bool may_wake(const Machine& machine, ThreadId thread, ThreadId z);
  // `action` is that of the frozen thread, if it is about what depends on it.
  [[nodiscard]] bool may_reach(const Machine& machine, ThreadId thread, Conflict conflict,
                               const std::optional<Action>& action = {});
  // Who is stuck if frozen_ does not move.
  void compute_stuck(const Machine& machine);
  [[nodiscard]] bool may_be_notified(const Machine& machine, const ThreadView& waiting);
  // Adds threads to frozen_ until it is valid; gives up if it gets more than `limit` enabled threads. Returns how many
  // it has.
  std::size_t close(const Machine& machine, std::size_t limit);
  // Adds the threads that violate (i) or (ii) because of this one.
  bool add_for(const Machine& machine, ThreadId thread);

  DependenceTable table_;
  std::vector<Oracle*> oracles_;
  ThreadSet frozen_;
  ThreadSet stuck_;
  std::vector<ThreadId> enabled_;
  std::vector<ThreadId> chosen_;
  std::size_t questions_ = 0;
};

}  // namespace lockwood::explorer
