#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "solver/engine/agenda.hpp"
#include "solver/engine/engine.hpp"
#include "solver/engine/execution_grammar.hpp"
#include "solver/engine/fact.hpp"
#include "solver/engine/observation.hpp"
#include "solver/engine/saturation.hpp"
#include "solver/locks/lock_domain.hpp"
#include "solver/reduction/weight.hpp"

#include <tsl/hopscotch_map.h>

namespace lockwood::solver {

// The operations of the lock domain on structures, as far as their results are known, for several threads at a time.
// Once a result is not known, it says so, and what it returned is of no use.
class KnownLocks {
 public:
  explicit KnownLocks(const LockDomain& domain) : domain_{domain} {}

  [[nodiscard]] bool knew_all() const { return knew_all_; }
  [[nodiscard]] std::optional<StructureId> join(StructureId left, StructureId right, OwnUses own_uses,
                                                std::optional<PhaseIndex> right_returned) {
    return noted(domain_.known_join(left, right, own_uses, right_returned));
  }
  [[nodiscard]] std::optional<StructureId> as_thread(StructureId thread, std::optional<PhaseIndex> end) {
    return noted(domain_.known_as_thread(thread, end));
  }
  [[nodiscard]] std::optional<StructureId> monitor(Lock lock, PhaseIndex entered, std::optional<PhaseIndex> returned,
                                                   StructureId body) {
    return noted(domain_.known_monitor(lock, entered, returned, body));
  }
  // What rules about groups do is not looked up by several threads.
  template <class... Arguments>
  [[nodiscard]] std::optional<StructureId> fork(const Arguments&... /*unused*/) {
    return noted({});
  }
  template <class... Arguments>
  [[nodiscard]] std::optional<StructureId> join_groups(const Arguments&... /*unused*/) {
    return noted({});
  }
  template <class... Arguments>
  [[nodiscard]] std::optional<StructureId> forget_groups(const Arguments&... /*unused*/) {
    return noted({});
  }
  template <class... Arguments>
  [[nodiscard]] std::optional<StructureId> open_groups(const Arguments&... /*unused*/) {
    return noted({});
  }

 private:
  std::optional<StructureId> noted(const std::optional<LockDomain::Result>& known) {
    knew_all_ = knew_all_ && known;
    return known ? *known : std::nullopt;
  }

  const LockDomain& domain_;
  bool knew_all_ = true;
};

// The domain of the engine (engine.hpp): a fact has one lock structure and one observation. A fact is superfluous if
// another one of its context and outcome has a smaller or equal structure and has seen as much.
class ExplicitLocks {
 public:
  using Agenda = LightestFirst<Fact>;
  using Item = FactId;

  // Candidates that no fact subsumes, in order.
  struct Derived {
    std::size_t count = 0;  // also those that were subsumed
    std::vector<Fact> candidates;

    struct Mark {
      std::size_t count;
      std::size_t candidates;
    };
    [[nodiscard]] Mark mark() const { return {count, candidates.size()}; }
    void undo_since(const Mark& mark) {
      count = mark.count;
      candidates.erase(candidates.begin() + static_cast<std::ptrdiff_t>(mark.candidates), candidates.end());
    }
    void clear() {
      count = 0;
      candidates.clear();
    }
  };

  // All must outlive it.
  ExplicitLocks(const ExecutionGrammar& grammar, LockDomain& locks, ObservationAlgebra& algebra, Agenda& candidates,
                const EngineOptions& options, bool collecting);

  [[nodiscard]] const IdVector<FactId, Fact>& facts() const { return facts_; }
  [[nodiscard]] const std::vector<FactId>& answers() const { return answers_; }
  [[nodiscard]] bool too_wide() const { return too_wide_; }
  [[nodiscard]] std::size_t candidate_count() const { return candidate_count_; }
  [[nodiscard]] std::size_t widest_antichain() const;
  [[nodiscard]] std::vector<FactId> essential_facts(ContextId context) const;

  // --- what the saturation asks for (saturation.hpp) ---

  [[nodiscard]] ContextId context_of(FactId id) const { return fact(id).context; }
  [[nodiscard]] Outcome outcome_of(FactId id) const { return fact(id).outcome; }
  void add_context() { slots_.push_back({}); }
  [[nodiscard]] bool stopped() const { return options_.stop.stop_requested(); }
  [[nodiscard]] bool over() const {
    return too_wide_ || grammar_.size() > options_.context_limit || stopped() ||
           (!collecting_ && !options_.exhaustive && !answers_.empty());
  }

  void report_progress() const { options_.stop.report_progress({.contexts = grammar_.size(), .facts = facts_.size()}); }

  void derive_leaf(const Node& node, Outcome outcome);
  template <class Combine>
  void derive(FactId fact, Partners partners, const Combine& combine) {
    Deriving<LockDomain> deriving{*this, locks_, partners == Partners::All ? FactId{facts_.size()} : fact, derived_};
    combine(deriving);
    count(derived_);
    add_candidates(derived_, 0, derived_.candidates.size());
    derived_.clear();
  }
  // What would follow from one more fact beside the facts there are. Nothing is kept of it.
  template <class Combine>
  [[nodiscard]] std::vector<Fact> consequences(const Fact& fact, const Combine& combine) {
    one_more_ = &fact;
    const FactId added{facts_.size()};
    Derived derived;
    Deriving<LockDomain> deriving{*this, locks_, added, derived};
    combine(added, deriving);
    one_more_ = nullptr;
    return std::move(derived.candidates);
  }
  template <class Show, class ShowOutcome>
  void show_announced(ContextId context, bool to_body, const Show& show, const ShowOutcome& show_outcome) const {
    const std::vector<Slot> slots = slots_[context];  // a copy: what is requested meanwhile makes the table grow
    for (const Slot& slot : slots) {
      if (to_body && slot.outcome.has_returned()) {
        show_outcome(slot.outcome);
        continue;
      }
      for (const Known& known : slot.facts) show(known.fact);
    }
  }
  void announce(std::vector<Fact>& batch, std::vector<Announcement<FactId>>& announcements);
  // A later fact of the same batch covers it, and nobody has to be told that there is such an outcome.
  [[nodiscard]] bool superfluous(const Announcement<FactId>& announcement) const;

  // --- several threads ---

  [[nodiscard]] bool divided() const { return divided_; }
  [[nodiscard]] Division& division() { return division_; }
  // False if something had to be changed or requested for it.
  template <class Combine>
  [[nodiscard]] bool derive_unchanging(FactId fact, Derived& derived, const Combine& combine) const {
    KnownLocks known{locks_};
    Deriving<KnownLocks> deriving{*this, known, fact, derived};
    return combine(deriving) && known.knew_all();
  }
  void count(const Derived& derived) { candidate_count_ += derived.count; }
  void add_candidates(const Derived& derived, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) agenda_.add(derived.candidates[i]);
  }

 private:
  // A fact, with what candidates are compared with beside it.
  struct Known {
    Observation observation;
    StructureId locks;
    FactId fact;
  };
  // The facts of a context with one outcome.
  struct Slot {
    Outcome outcome;
    std::vector<Known> facts;  // by age
  };

  // Derives candidates from facts, with partners up to the newest. `Locks` is the lock domain, or what is known of it.
  template <class Locks>
  struct Deriving {
    const ExplicitLocks& domain;
    Locks& locks;
    FactId newest;
    Derived& derived;

    void derive(const Node& node, FactId below);
    void derive(const Node& node, FactId left, FactId right);
    template <class Use>
    void with_partners(ContextId context, std::optional<Outcome> wanted, const Use& use) {
      for (const Slot& slot : domain.slots_[context]) {
        if (wanted && slot.outcome != *wanted) continue;
        for (const Known& partner : slot.facts)
          if (partner.fact <= newest) use(partner.fact);
      }
    }
  };

  [[nodiscard]] const Fact& fact(FactId id) const {
    assert(facts_.contains(id) || one_more_ != nullptr);
    return facts_.contains(id) ? facts_[id] : *one_more_;
  }
  void derive_candidate(const Node& node, Outcome outcome, const Observations& observations,
                        std::optional<StructureId> locks, std::uint64_t weight, std::optional<FactId> left,
                        std::optional<FactId> right, Derived& derived) const;
  void add_fact(const Fact& fact, std::vector<Announcement<FactId>>& announcements);
  void drop_subsumed(std::vector<Fact>& candidates);
  [[nodiscard]] bool subsumed(const Fact& candidate, FactId by_those_from = FactId{0}) const;
  template <class A, class B>
  [[nodiscard]] bool covers(const A& fact, const B& other) const {
    // Facts that cover each other are equal, and equal facts are not derived twice.
    return dominates(fact.observation, other.observation) && locks_.subsumes(fact.locks, other.locks);
  }
  [[nodiscard]] bool answered(const Observation& observation) const {
    return collecting_ && answer_of_.contains(observation.collected);
  }
  [[nodiscard]] bool unsatisfiable(ContextId context, const Observation& observation) const;
  [[nodiscard]] std::uint64_t weight(dpn::RuleId rule) const;

  const ExecutionGrammar& grammar_;
  LockDomain& locks_;
  ObservationAlgebra& algebra_;
  Agenda& agenda_;
  const EngineOptions& options_;
  bool collecting_;
  bool too_wide_ = false;
  std::optional<IdVector<dpn::StackSymbol, std::uint64_t>> goals_reachable_outside_;

  IdVector<FactId, Fact> facts_;
  const Fact* one_more_ = nullptr;  // a fact beside them, with the next number, while its consequences are derived
  IdVector<ContextId, std::vector<Slot>> slots_;
  std::vector<FactId> answers_;
  tsl::hopscotch_map<std::uint64_t, FactId> answer_of_;  // by what was collected
  Derived derived_;                                      // by who may change things
  std::size_t candidate_count_ = 0;

  Division division_;
  bool divided_ = false;              // the batch is so large that threads share it
  std::vector<char> subsumed_flags_;  // for each candidate
};

// --- a node above subtrees: docs/theory.md, Sect. 4 -----------------------------------------------------------------

template <class Locks>
void ExplicitLocks::Deriving<Locks>::derive(const Node& node, FactId below_id) {
  using Step = Derivation::Step;
  const Fact& below = domain.fact(below_id);
  const Context& context = domain.grammar_[node.context];
  ObservationAlgebra& algebra = domain.algebra_;
  Outcome outcome = below.outcome;
  std::optional<StructureId> structure = below.locks;
  switch (node.step) {
    case Step::Thread: {  // seen from outside: it does not matter how it ends, nor what it used itself
      structure = locks.as_thread(below.locks, below.outcome.returned_in());
      return domain.derive_candidate(node, Outcome::standing(), {below.observation}, structure, below.weight, below_id,
                                     {}, derived);
    }
    case Step::Cut: {
      const LockSet& held = domain.grammar_.held_locks(node.context);
      return domain.derive_candidate(node, outcome, algebra.cut(context.head, held, context.phase, below.observation),
                                     structure, below.weight, below_id, {}, derived);
    }
    case Step::Enter: {  // a lock that it takes is finally acquired
      assert(!outcome.has_returned());
      const auto [label, lock, opens] = domain.grammar_.entering(node);
      if (opens) structure = locks.open_groups(domain.grammar_.network(), *node.rule, *structure);
      if (lock && structure) structure = locks.monitor(*lock, context.phase, std::nullopt, *structure);
      return domain.derive_candidate(node, outcome, algebra.unary(label, context.phase, below.observation), structure,
                                     sum_of_weights(below.weight, node_weight), below_id, {}, derived);
    }
    case Step::Join:
      structure = locks.join_groups(domain.grammar_.network(), *node.rule, context.phase, below.locks);
      break;
    case Step::Forget: structure = locks.forget_groups(domain.grammar_.network(), *node.rule, below.locks); break;
    default: break;
  }
  domain.derive_candidate(node, outcome,
                          algebra.unary(domain.grammar_.label_of(node), context.phase, below.observation), structure,
                          sum_of_weights(below.weight, domain.weight(*node.rule)), below_id, {}, derived);
}

template <class Locks>
void ExplicitLocks::Deriving<Locks>::derive(const Node& node, FactId left_id, FactId right_id) {
  using Step = Derivation::Step;
  const Fact& left = domain.fact(left_id);
  const Fact& right = domain.fact(right_id);
  const PhaseIndex phase = domain.grammar_[node.context].phase;
  ObservationAlgebra& algebra = domain.algebra_;
  const std::uint64_t below = sum_of_weights(left.weight, right.weight);
  if (node.step == Step::Spawn) {
    std::optional<StructureId> thread = left.locks;
    if (domain.grammar_.forks(node))
      thread = locks.fork(domain.grammar_.network(), *node.rule, phase, left.locks, left.outcome.returned_in());
    if (!thread) return;
    const auto both = locks.join(*thread, right.locks, OwnUses::OfRight, right.outcome.returned_in());
    if (!both) return;
    const bool few_threads = domain.options_.objective == Objective::FewestThreads;
    return domain.derive_candidate(
        node, right.outcome, algebra.spawn(*node.rule, phase, left.observation, right.observation), both,
        sum_of_weights(below, node_weight + (few_threads ? thread_weight : 0)), left_id, right_id, derived);
  }
  assert(node.step == Step::Complete && left.outcome.has_returned());
  const PhaseIndex returned = left.outcome.phase();
  const auto [label, lock, opens] = domain.grammar_.entering(node);
  std::optional<StructureId> inside = left.locks;
  if (opens) inside = locks.open_groups(domain.grammar_.network(), *node.rule, *inside);
  if (lock && inside) inside = locks.monitor(*lock, phase, returned, *inside);
  if (!inside) return;
  const bool same_phase = right.outcome.has_returned() && right.outcome.phase() == returned;
  const auto both =
      locks.join(*inside, right.locks, same_phase ? OwnUses::OfBoth : OwnUses::OfRight, right.outcome.returned_in());
  if (!both) return;
  domain.derive_candidate(node, right.outcome,
                          algebra.returned(label, phase, returned, left.observation, right.observation), both,
                          sum_of_weights(below, node_weight), left_id, right_id, derived);
}

}  // namespace lockwood::solver
