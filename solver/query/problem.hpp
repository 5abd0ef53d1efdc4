#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "dpn/model/network.hpp"
#include "dpn/model/query.hpp"
#include "solver/query/observer.hpp"

namespace lockwood::problem {

// A thread stands with its top of stack in `tops`, holding `holding` and before a rule that takes `wanting`, which it
// does not hold; if it is `joining`, before a rule that joins groups. What is not given does not matter.
struct StandGoal {
  std::optional<std::vector<dpn::StackSymbol>> tops;
  std::optional<dpn::Lock> holding;
  std::optional<dpn::Lock> wanting;
  bool joining = false;
};

// Two goals of the last phase, by number. The thread that meets the first one waits in a join for the thread that meets
// the second one: that is a member of a group which the waiting thread is before joining, and has not ended. Or it
// waits so for another thread, which waits so for the next one, and so on. The threads between are different, and meet
// no goal.
struct Awaiting {
  std::size_t waiter;
  std::size_t awaited;
};

// One phase: run on without the avoided actions until, at its end, every goal is met by a thread of its own, every
// observer accepts, and of every set in `fired` an action was done during the phase.
struct Phase {
  std::vector<dpn::Action> avoiding;
  std::vector<StandGoal> standing;
  std::vector<std::vector<dpn::Action>> fired;
  std::vector<std::shared_ptr<const Observer>> observers;
  std::vector<Awaiting> awaiting = {};  // in the last phase only; no goal occurs twice; waiters are joining
};

// Where threads are at the end of the last phase, besides those that meet its goals: not one place asked for, but all
// answers wanted.
struct Collect {
  // One or two sets of stack symbols; as many threads, all different, stand in them.
  std::vector<std::vector<dpn::StackSymbol>> among;
};

// Is there an execution from the initial configuration that goes through the phases?
struct Problem {
  dpn::Semantics semantics = dpn::Semantics::LockSensitive;
  std::vector<Phase> phases;  // at least one
  std::optional<Collect> collect;
};

// A thread that is at the head and holds the locks meets the goal.
[[nodiscard]] bool meets(const dpn::Network& network, dpn::Head head, const std::set<dpn::Lock>& held,
                         const StandGoal& goal);

// Different threads that stand at these tops are, each in a set of its own, in the sets for collecting.
[[nodiscard]] bool collectable(const Problem& problem, const std::vector<dpn::StackSymbol>& tops);

}  // namespace lockwood::problem
