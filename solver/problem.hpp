#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "dpn/execution_tree.hpp"
#include "dpn/network.hpp"
#include "dpn/query.hpp"

namespace lockwood::solver {

// The label of a node of an execution tree.
struct NodeLabel {
  dpn::NodeKind kind;
  std::variant<dpn::RuleId, dpn::Head> what;  // the head of Nil and Cut, the rule of all others
  dpn::Reentrance reentrance = dpn::Reentrance::No;
  friend bool operator==(const NodeLabel&, const NodeLabel&) = default;
};

// A bottom-up tree automaton over execution trees, run on the tree as it stood at the end of a phase (so it never sees
// a Cut). A new property of executions is a new observer, nothing else.
class Observer {
 public:
  using State = std::uint32_t;
  Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;
  virtual ~Observer() = default;
  // The states that a node with this label may get above children in these states, without repetition.
  [[nodiscard]] virtual std::vector<State> targets(const NodeLabel& label, std::span<const State> children) const = 0;
  [[nodiscard]] virtual bool accepting(State state) const = 0;
  // For certificates: the automaton in the Timbuk format over the network's tree alphabet, and its names of states.
  [[nodiscard]] virtual std::string to_timbuk() const = 0;
  [[nodiscard]] virtual std::string state_name(State state) const = 0;
};

// A thread stands with its top of stack in `tops`, holding `holding` and before a rule that takes `wanting`, which it
// does not hold. What is not given does not matter.
struct StandGoal {
  std::optional<std::vector<dpn::StackSymbol>> tops;
  std::optional<dpn::Lock> holding;
  std::optional<dpn::Lock> wanting;
};

// One phase: run on without the avoided actions until, at its end, every goal is met by a thread of its own, every
// observer accepts, and of every set in `fired` an action was done during the phase.
struct Phase {
  std::vector<dpn::Action> avoiding;
  std::vector<StandGoal> standing;
  std::vector<std::vector<dpn::Action>> fired;
  std::vector<std::shared_ptr<const Observer>> observers;
};

// Where threads stand at the end of the last phase, besides those that meet its goals: not one place asked for, but all
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

// A problem that no execution answers, so that an engine which runs on it visits every context of the network.
[[nodiscard]] Problem unanswerable();

// The problem that a query of a file asks.
[[nodiscard]] Problem problem_of(const dpn::Query& query);

}  // namespace lockwood::solver
