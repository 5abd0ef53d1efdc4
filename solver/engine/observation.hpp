#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "dpn/model/network.hpp"
#include "solver/engine/waits.hpp"
#include "solver/locks/lock_set.hpp"
#include "solver/locks/lock_structure.hpp"
#include "solver/query/query_problem.hpp"

#include <tsl/hopscotch_map.h>

namespace lockwood::solver {

// What a query has seen of a subtree, in all phases at once.
struct Observation {
  std::uint64_t goals = 0;  // the goals met, a bit for each goal and each `fired` of each phase
  // Up to two stack symbols, 1 + index in each half, the smaller in the upper half. If it is told which action was
  // done, that action, 1 + index, in the lower half.
  std::uint64_t collected = 0;
  std::uint32_t states = 0;  // the states of the observers, a row of a table
  WaitAlgebra::Row waits = WaitAlgebra::returned;
  friend auto operator<=>(const Observation&, const Observation&) = default;
};
using Observations = boost::container::small_vector<Observation, 4>;

// The goal of one thing is missing if it is not in the other, all else being equal.
[[nodiscard]] inline bool dominates(const Observation& more, const Observation& less) {
  return (less.goals & ~more.goals) == 0 && more.collected == less.collected && more.states == less.states &&
         more.waits == less.waits;
}

// The stack symbols of Observation::collected, ascending.
[[nodiscard]] std::vector<dpn::StackSymbol> collected_symbols(const Observation& observation);

class TooManyGoals : public std::runtime_error {
 public:
  TooManyGoals() : std::runtime_error{"this asks for more than 64 threads and required actions, which is the limit"} {}
};

// What becomes of goals of a phase that are equal, such as those of `{a} and {a} and {a}`. Told apart, k of them make
// 2ᵏ sets of goals met. Counted, only how many of them are met is kept, in k + 1 sets: the goals met are always the
// first ones. That loses nothing. A permutation of equal goals makes of a derivation another one, so with each set all
// sets of the same size can be derived, and of two disjoint groups of threads which meet i and j of them, i + j are met
// together, which dominates all other unions.
enum class EqualGoals { Distinguished, Counted };

// How observations of subtrees make observations of trees. For a node that lies in phase k and whose own thread is seen
// until the end of the last phase, observers of phases before k are not concerned: the node did not exist for them.
//
// A returned call is, in the phases before its return, a call that has not returned, without what follows: each
// observer sees the tree at the end of its phase.
class ObservationAlgebra {
 public:
  // `original`: the network that the problem is about, if `network` is a reduction of it. `distinguished`: a phase in
  // which only one of the required actions is done, perhaps often, and it is told which; the problem must not collect.
  ObservationAlgebra(const dpn::Network& network, const Problem& problem, const dpn::Network& original,
                     std::optional<PhaseIndex> distinguished = {}, EqualGoals equal_goals = EqualGoals::Distinguished);

  // A thread that is at the end of the last phase.
  [[nodiscard]] Observations stand(dpn::Head head, const LockSet& held);
  // The step of a thread from phase to phase + 1.
  [[nodiscard]] Observations cut(dpn::Head head, const LockSet& held, PhaseIndex phase, const Observation& child);
  [[nodiscard]] Observations ret(dpn::RuleId rule, PhaseIndex phase);
  // Base, NCall, Acq.
  [[nodiscard]] Observations unary(const NodeLabel& label, PhaseIndex phase, const Observation& child);
  // Spawn.
  [[nodiscard]] Observations spawn(dpn::RuleId rule, PhaseIndex phase, const Observation& child,
                                   const Observation& parent);
  // RCall, Use: the body was entered in `phase` and returned in `returned`.
  [[nodiscard]] Observations returned(const NodeLabel& label, PhaseIndex phase, PhaseIndex returned,
                                      const Observation& body, const Observation& rest);

  // The states of the observers, phase by phase; nothing for those not concerned, when the tree began in `phase`.
  struct Seen {
    const Observer* observer;
    std::optional<Observer::State> state;
  };
  [[nodiscard]] std::vector<Seen> seen(const Observation& observation, PhaseIndex phase) const;

  // The goals that a thread which stands there may meet, in any phase and with any locks.
  [[nodiscard]] std::uint64_t goals_at(dpn::StackSymbol top) const {
    return early_goals_at(top) | goals_at(top, last_);
  }
  // The same for all phases but the last: the thread may go on.
  [[nodiscard]] std::uint64_t early_goals_at(dpn::StackSymbol top) const;
  // The goals that a use of the rule may meet, in any phase.
  [[nodiscard]] std::uint64_t goals_of(dpn::RuleId rule) const;
  [[nodiscard]] std::uint64_t all_goals() const { return all_goals_; }

  // Of the phase that tells.
  [[nodiscard]] std::optional<dpn::Action> told(const Observation& observation) const;

  // There are neither observers, of which states would be remembered, nor threads that should wait for each other in
  // joins: nothing here ever changes.
  [[nodiscard]] bool unchanging() const { return observers_.empty() && !waits_.active(); }

  // Who waits for whom in joins.
  [[nodiscard]] const Waits& waits(const Observation& observation) const { return waits_[observation.waits]; }

  // Everything asked for was seen.
  [[nodiscard]] bool accepting(const Observation& observation) const;

 private:
  using States = std::vector<Observer::State>;  // one for each observer of each phase, 0 for those not concerned
  struct PlacedObserver {
    PhaseIndex phase;
    const Observer* observer;
  };

  [[nodiscard]] std::uint64_t goals_at(dpn::StackSymbol top, PhaseIndex phase) const;
  [[nodiscard]] std::uint64_t fired(dpn::RuleId rule, PhaseIndex phase) const;
  [[nodiscard]] std::uint64_t told(dpn::RuleId rule, PhaseIndex phase) const;
  [[nodiscard]] Observations with_standing(dpn::Head head, const LockSet& held, PhaseIndex phase,
                                           const Observations& below);
  [[nodiscard]] Observations with_waits(dpn::Head head, std::uint64_t goals, const Observation& below);
  [[nodiscard]] std::optional<std::uint64_t> collected(std::uint64_t a, std::uint64_t b) const;
  // The goals that two disjoint groups of threads meet together.
  [[nodiscard]] std::uint64_t joined(std::uint64_t a, std::uint64_t b) const;
  // With a bit of a class of equal goals, all of its bits.
  [[nodiscard]] std::uint64_t whole_classes(std::uint64_t goals) const;
  [[nodiscard]] std::uint32_t row_of(const States& states);
  // All combinations of one state each.
  template <class Targets>
  [[nodiscard]] boost::container::small_vector<std::uint32_t, 4> rows(const Targets& targets_of);

  const dpn::Network& network_;
  const dpn::Network& original_;
  PhaseIndex last_;
  std::optional<PhaseIndex> distinguished_;
  std::vector<std::vector<std::pair<StandGoal, std::uint64_t>>> special_;  // by phase: goals with locks, their bits
  std::vector<IdVector<dpn::StackSymbol, std::uint64_t>> plain_;           // by phase: goals met by a top alone
  std::vector<IdVector<dpn::Action, std::uint64_t>> fired_;                // by phase
  std::uint64_t all_goals_ = 0;
  // Classes of equal goals that are counted, of two or more bits each, side by side. Only the first bit of a class is
  // in plain_ or special_. Invariant: of a class, an observation has the lowest bits.
  std::vector<std::uint64_t> classes_;
  WaitAlgebra waits_;
  std::size_t first_goal_of_last_ = 0;  // its bit; only if goals of the last phase are told apart by who waits for whom
  std::size_t collects_ = 0;
  IdVector<dpn::StackSymbol, std::uint8_t> collectable_;  // bit i: member of the i-th set
  std::vector<PlacedObserver> observers_;
  std::vector<States> states_;  // rows of Observation::states
  tsl::hopscotch_map<std::string, std::uint32_t> row_numbers_;
};

}  // namespace lockwood::solver
