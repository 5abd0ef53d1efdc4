#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "base/process/stop.hpp"
#include "dpn/model/network.hpp"
#include "dpn/model/query.hpp"
#include "solver/engine/arena.hpp"
#include "solver/engine/candidates.hpp"
#include "solver/engine/context_table.hpp"
#include "solver/engine/engine_statistics.hpp"
#include "solver/engine/fact.hpp"
#include "solver/engine/observation.hpp"
#include "solver/locks/lock_domain.hpp"
#include "solver/query/query_problem.hpp"

namespace lockwood::solver {

class Reduction;

// Which witness to prefer. Without a preference, facts that a later one makes superfluous are forgotten; that is
// faster, often by much, but what is found then need not be smallest.
enum class Objective { FewestNodes, FewestThreads, Any };

struct EngineOptions {
  Objective objective = Objective::FewestNodes;
  const Reduction* reduction = nullptr;  // of the network for this problem and objective: run on that instead
  bool exhaustive = false;               // do not stop at an answer: find all facts
  bool drop_hopeless = false;  // facts that lack a goal which nothing else can meet; a certificate needs them all
  // Give up when more facts of one context, outcome and observation than this are incomparable.
  std::size_t width_limit = std::numeric_limits<std::size_t>::max();
  std::size_t jobs = 1;               // threads for large frontiers; nothing that is found depends on it
  std::size_t large_frontier = 1024;  // facts of the same weight, from which on it pays to divide them among threads
  std::optional<PhaseIndex> telling;  // which of its required actions was done: see ObservationAlgebra
  const IdVector<Lock, bool>* excluding = nullptr;  // locks; if not given, all. See Exclusion
  StopToken stop;
};

// The bidirectional emptiness check: contexts flow down from the root on demand, facts flow up from the leaves into
// contexts that are asked for. A fact is derived from each combination of subfacts once (semi-naive), in the order of
// the weight of its tree [knuth.77.generalization], so that the first accepting fact has a lightest tree: all facts of
// the least weight are the frontier, and contexts that they ask for can only be part of heavier trees. A fact is
// dropped if another of its context and outcome has a smaller or equal lock structure and has seen as much: it can
// replace it in every tree.
class Engine {
 public:
  // The network, what the problem refers to and the reduction must outlive the engine.
  Engine(const dpn::Network& network, const Problem& problem, EngineOptions options = {});
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

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
  [[nodiscard]] PhaseIndex last_phase() const { return last_; }
  [[nodiscard]] const IdVector<ContextId, Context>& contexts() const { return contexts_.all(); }
  [[nodiscard]] const IdVector<FactId, Fact>& facts() const { return facts_; }
  [[nodiscard]] const LockDomain& domain() const { return domain_; }
  [[nodiscard]] const ObservationAlgebra& algebra() const { return algebra_; }
  // The facts of a context that no other fact of it makes superfluous.
  [[nodiscard]] std::vector<FactId> essential_facts(ContextId context) const;
  [[nodiscard]] EngineStatistics statistics() const;

  // The contexts with facts that are derived from those of this one.
  [[nodiscard]] std::vector<ContextId> users_of(ContextId context) const;
  // What would follow in one step from one more fact, beside the facts there are. Nothing is kept of it.
  [[nodiscard]] std::vector<Fact> consequences(const Fact& fact);

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
  struct Numbered {
    FactId id;
    const Fact& fact;
  };
  // A fact, with what candidates are compared with beside it.
  struct Known {
    Observation observation;
    StructureId locks;
    FactId fact;
  };
  struct Slot {
    Outcome outcome;
    std::vector<Known> facts;  // by age
  };
  struct Traffic {
    std::vector<Slot> slots;
    std::vector<Consumer> consumers;
  };
  // A fact of the frontier, of which all new facts are still to be derived.
  struct Settled {
    FactId fact;
    bool first_of_its_outcome;
    std::size_t consumers;  // those there were then; others are shown the fact when they come
  };
  // What was derived: candidates that no fact subsumes, in order.
  struct Derived {
    std::size_t count = 0;  // also those that were subsumed
    std::vector<Fact> candidates;
  };
  // What a thread derived from a piece of the frontier without changing anything, and what it left to be done.
  struct Piece {
    struct Undone {
      FactId fact;
      std::size_t consumer;
      bool first_of_its_outcome;
      std::size_t before;  // so many candidates of the piece come before
    };
    Derived derived;
    std::vector<Undone> undone;
  };

  ContextId demand(const Context& context);
  void expand(ContextId context);
  void expand(ContextId context, dpn::RuleId rule);
  void listen(ContextId to, const Consumer& consumer);
  void await_rest(const Consumer& body, ContextId body_context, Outcome outcome);
  void deliver(const Consumer& consumer, FactId fact, bool first_of_its_outcome, FactId newest_partner);
  // All that follows for the consumer from the fact and partners up to the newest. `Locks` is the domain, or tells of
  // it what is known. False if that asks for contexts that are not there.
  template <class Locks>
  [[nodiscard]] bool derive(const Consumer& consumer, Numbered fact, FactId newest_partner, Locks& locks,
                            ObservationAlgebra& algebra, Derived& derived) const;
  template <class Locks>
  void enter(const Consumer& body, Numbered fact, Locks& locks, ObservationAlgebra& algebra, Derived& derived) const;
  template <class Locks>
  void complete(const Consumer& consumer, Numbered body, Numbered rest, Locks& locks, ObservationAlgebra& algebra,
                Derived& derived) const;
  template <class Locks>
  void spawn(const Consumer& consumer, Numbered child, Numbered parent, Locks& locks, ObservationAlgebra& algebra,
             Derived& derived) const;
  void propose(ContextId context, Outcome outcome, const Observations& observations, std::optional<StructureId> locks,
               std::uint64_t weight, const Derivation& derivation, Derived& derived) const;
  void add(Derived& derived);
  [[nodiscard]] bool subsumed(const Fact& candidate, FactId by_those_from = FactId{0}) const;
  template <class A, class B>
  [[nodiscard]] bool covers(const A& fact, const B& other) const;
  [[nodiscard]] bool answered(const Observation& observation) const;
  [[nodiscard]] bool hopeless(ContextId context, const Observation& observation) const;
  void expand_fresh();
  void settle_frontier();
  void settle(const Fact& fact);
  void drop_subsumed(std::vector<Fact>& candidates);
  void derive_from_settled();
  [[nodiscard]] std::size_t piece_size() const { return std::max<std::size_t>(1, options_.large_frontier / 16); }
  void derive_in_pieces();
  void derive_from(std::size_t begin, std::size_t end, Piece& piece);
  void finish(Piece& piece);
  [[nodiscard]] bool superfluous(const Settled& settled) const;
  // Nothing that is still to be done can matter.
  [[nodiscard]] bool over() const {
    return too_wide_ || options_.stop.stop_requested() || (!collecting_ && !options_.exhaustive && !answers_.empty());
  }
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

  ContextTable contexts_;
  IdVector<ContextId, Traffic> traffic_;
  std::vector<ContextId> fresh_;  // asked for and not yet expanded
  IdVector<FactId, Fact> facts_;
  std::vector<FactId> answers_;
  tsl::hopscotch_map<std::uint64_t, FactId> answer_of_;  // by what was collected

  Candidates<Fact> candidates_;
  std::vector<Fact> frontier_;
  std::vector<Settled> settled_;  // of the frontier
  Derived derived_;               // by whoever may change things
  std::size_t candidate_count_ = 0;

  std::unique_ptr<Arena> arena_;  // none until there is a large frontier
  std::vector<char> subsumed_;    // for each candidate
  std::vector<Piece> pieces_;
};

}  // namespace lockwood::solver
