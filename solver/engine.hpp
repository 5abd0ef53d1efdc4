#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "base/id_vector.hpp"
#include "base/stop.hpp"
#include "dpn/network.hpp"
#include "dpn/query.hpp"
#include "solver/lock_domain.hpp"
#include "solver/observation.hpp"
#include "solver/problem.hpp"

namespace lockwood::solver {

class Reduction;

using ContextId = Id<struct ContextTag>;
using FactId = Id<struct FactTag>;

// What a node inherits from above, deterministically: where its thread is, which locks the thread holds, and the phase
// (docs/theory.md, Sect. 4). The context of a whole thread stands for its trees whether the thread ended or not.
struct Context {
  dpn::Head head;
  LockSetId held;
  std::uint32_t phase;
  bool whole_thread;
  friend bool operator==(const Context&, const Context&) = default;
};

struct ContextHash {
  std::size_t operator()(const Context& context) const {
    return mixed(mixed(context.head.control.index(), (context.head.top.index() << 32U) | context.held.index()),
                 (std::uint64_t{context.phase} << 1U) | (context.whole_thread ? 1U : 0U));
  }
};

// How a subtree ends for its own thread: it stands at the end of the last phase, or it has returned to a control state
// in some phase.
class Outcome {
 public:
  [[nodiscard]] static Outcome standing() { return Outcome{0}; }
  [[nodiscard]] static Outcome returned(dpn::ControlState control, PhaseIndex phase) {
    return Outcome{(std::uint64_t{phase + 1} << 32U) | control.index()};
  }
  [[nodiscard]] bool has_returned() const { return code_ != 0; }
  [[nodiscard]] dpn::ControlState control() const { return dpn::ControlState{code_ & 0xFFFFFFFFU}; }
  [[nodiscard]] PhaseIndex phase() const { return (code_ >> 32U) - 1; }
  friend auto operator<=>(Outcome, Outcome) = default;

 private:
  explicit Outcome(std::uint64_t code) : code_{code} {}
  std::uint64_t code_;
};

// The last step of a fact's derivation: which node the tree has at its root, and which facts its subtrees prove.
struct Derivation {
  enum class Step : std::uint8_t {
    Stand,     // Nil
    Cut,       // left: what follows
    Return,    // Ret
    Base,      // left: what follows
    Enter,     // NCall or Acq; left: the body
    Complete,  // RCall or Use; left: the body, right: what follows
    Spawn,     // left: the new thread, right: the spawning one
    Thread,    // no node; left: the tree, seen as a whole thread
  };
  Step step;
  std::optional<dpn::RuleId> rule;
  std::optional<FactId> left;
  std::optional<FactId> right;
};

// There is a tree in this context with this outcome, observation and lock structure.
struct Fact {
  ContextId context;
  Outcome outcome;
  Observation observation;
  StructureId locks;
  std::uint64_t weight;  // of the lightest such tree
  Derivation derivation;
};

// Which witness to prefer. Without a preference, facts that a later one makes superfluous are forgotten; that is
// faster, often by much, but what is found then need not be smallest.
enum class Objective { FewestNodes, FewestThreads, Any };

struct EngineOptions {
  Objective objective = Objective::FewestNodes;
  const Reduction* reduction = nullptr;  // of the network for this problem and objective: run on that instead
  bool drop_hopeless = false;  // facts that lack a goal which nothing else can meet; a certificate needs them all
  // Give up when more facts of one context, outcome and observation than this are incomparable.
  std::size_t width_limit = std::numeric_limits<std::size_t>::max();
  StopToken stop;
};

struct EngineStatistics {
  std::size_t contexts = 0;
  std::size_t facts = 0;
  std::size_t candidates = 0;  // derived, most of them subsumed
  std::size_t structures = 0;
  std::size_t widest_antichain = 0;  // facts of one context and outcome
};

// The bidirectional emptiness check: contexts flow down from the root on demand, facts flow up from the leaves into
// contexts that are asked for. A fact is derived from each combination of subfacts once (semi-naive), in the order of
// the weight of its tree [knuth.77.generalization], so that the first accepting fact has a lightest tree. A fact is
// dropped if another of its context and outcome has a smaller or equal lock structure and has seen as much: it can
// replace it in every tree.
class Engine {
 public:
  // The network, what the problem refers to and the reduction must outlive the engine.
  Engine(const dpn::Network& network, const Problem& problem, EngineOptions options = {});

  // Runs until the question is decided, a stop is requested, or an antichain is too wide. If the problem collects,
  // until all answers are found.
  dpn::Verdict run();

  // It gave up because of an antichain.
  [[nodiscard]] bool too_wide() const { return too_wide_; }

  // The accepting facts: the lightest one, or one for each collected set in the order of their discovery.
  [[nodiscard]] const std::vector<FactId>& answers() const { return answers_; }
  // The network on which it runs: the given one or the reduced one.
  [[nodiscard]] const dpn::Network& network() const { return network_; }
  [[nodiscard]] ContextId root() const { return ContextId{0}; }
  [[nodiscard]] const IdVector<ContextId, Context>& contexts() const { return contexts_; }
  [[nodiscard]] const IdVector<FactId, Fact>& facts() const { return facts_; }
  [[nodiscard]] const LockDomain& domain() const { return domain_; }
  [[nodiscard]] const ObservationAlgebra& algebra() const { return algebra_; }
  // The facts of a context that no other fact of it makes superfluous.
  [[nodiscard]] std::vector<FactId> essential_facts(ContextId context) const;
  [[nodiscard]] EngineStatistics statistics() const;

 private:
  // Who uses the facts of a context, and for what.
  struct Consumer {
    enum class Role : std::uint8_t { Cut, Base, Body, Rest, Child, Parent, Thread };
    Role role;
    ContextId context;  // of the facts to derive
    std::optional<dpn::RuleId> rule;
    std::optional<ContextId> partner;     // Rest: the body; Child, Parent: each other
    std::optional<Outcome> body_outcome;  // Rest
  };
  struct Slot {
    Outcome outcome;
    std::vector<FactId> facts;
  };
  struct Traffic {
    std::vector<Slot> slots;
    std::vector<Consumer> consumers;
  };

  ContextId demand(const Context& context);
  void expand(ContextId context);
  void expand(ContextId context, dpn::RuleId rule);
  void listen(ContextId to, const Consumer& consumer);
  void await_rest(const Consumer& body, ContextId body_context, Outcome outcome);
  void deliver(const Consumer& consumer, FactId fact, bool first_of_its_outcome);
  void enter(const Consumer& body, FactId fact);
  void complete(ContextId context, dpn::RuleId rule, FactId body, FactId rest);
  void spawn(ContextId context, dpn::RuleId rule, FactId child, FactId parent);
  void propose(ContextId context, Outcome outcome, const Observations& observations, std::optional<StructureId> locks,
               std::uint64_t weight, const Derivation& derivation);
  [[nodiscard]] bool subsumed(const Fact& candidate) const;
  [[nodiscard]] bool covers(FactId a, FactId b) const;
  [[nodiscard]] bool answered(const Observation& observation) const;
  [[nodiscard]] bool hopeless(ContextId context, const Observation& observation) const;
  void settle(const Fact& fact);
  [[nodiscard]] bool decided() const { return !collecting_ && !answers_.empty(); }
  [[nodiscard]] bool is_allowed(dpn::RuleId rule, PhaseIndex phase) const;
  [[nodiscard]] bool reentrant(ContextId context, const dpn::Entry& entry) const;

  [[nodiscard]] std::uint64_t weight(dpn::RuleId rule) const;

  const dpn::Network& network_;
  EngineOptions options_;
  PhaseIndex last_;
  bool collecting_;
  bool too_wide_ = false;
  std::vector<IdVector<dpn::Action, bool>> avoided_;  // by phase
  LockDomain domain_;
  ObservationAlgebra algebra_;
  std::optional<IdVector<dpn::StackSymbol, std::uint64_t>> outside_goals_;

  IdVector<ContextId, Context> contexts_;
  IdVector<ContextId, Traffic> traffic_;
  tsl::hopscotch_map<Context, ContextId, ContextHash> numbers_;
  std::vector<ContextId> fresh_;  // asked for and not yet expanded
  IdVector<FactId, Fact> facts_;
  std::vector<FactId> answers_;
  tsl::hopscotch_map<std::uint64_t, FactId> answer_of_;  // by what was collected

  // Candidates by weight, then by age.
  struct Queued {
    std::uint64_t weight;
    std::uint64_t age;
    std::uint32_t place;
    friend bool operator<(const Queued& a, const Queued& b) {
      return a.weight != b.weight ? a.weight > b.weight : a.age > b.age;
    }
  };
  std::vector<Queued> queue_;
  std::vector<Fact> candidates_;
  std::vector<std::uint32_t> free_places_;
  std::uint64_t age_ = 0;
};

}  // namespace lockwood::solver
