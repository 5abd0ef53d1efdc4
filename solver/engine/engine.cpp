#include "solver/engine/engine.hpp"

#include <algorithm>
#include <cassert>

#include "base/process/leave_behind.hpp"
#include "solver/engine/outside_goals.hpp"
#include "solver/engine/run_log.hpp"
#include "solver/reduction/reduction.hpp"
#include "solver/reduction/weight.hpp"

namespace lockwood::solver {

using dpn::NodeKind;
using dpn::Reentrance;
using dpn::RuleId;
using dpn::Verdict;
using Step = Derivation::Step;

namespace {

// The operations of the domain on structures, as far as their results are known, for several threads at a time. Once
// one is not known, it says so, and what it returned is of no use.
class KnownLocks {
 public:
  explicit KnownLocks(const LockDomain& domain) : domain_{domain} {}

  [[nodiscard]] bool knew_all() const { return knew_all_; }
  [[nodiscard]] const LockSet& lock_set(LockSetId id) const { return domain_.lock_set(id); }
  [[nodiscard]] std::optional<StructureId> join(StructureId left, StructureId right, OwnUses own_uses) {
    return told(domain_.known_join(left, right, own_uses));
  }
  [[nodiscard]] std::optional<StructureId> monitor(Lock lock, PhaseIndex entered, std::optional<PhaseIndex> returned,
                                                   StructureId body) {
    return told(domain_.known_monitor(lock, entered, returned, body));
  }

 private:
  std::optional<StructureId> told(const std::optional<LockDomain::Result>& known) {
    knew_all_ = knew_all_ && known;
    return known ? *known : std::nullopt;
  }

  const LockDomain& domain_;
  bool knew_all_ = true;
};

}  // namespace

Engine::Engine(const dpn::Network& network, const Problem& problem, EngineOptions options)
    : network_{options.reduction == nullptr ? network : options.reduction->network()},
      options_{options},
      last_{problem.phases.size() - 1},
      collecting_{problem.collect.has_value()},
      domain_{{problem.semantics, options.excluding}, problem.phases.size()},
      algebra_{network_, problem, network, options.telling},
      contexts_{network_} {
  for (const Phase& phase : problem.phases) {
    auto& avoided = avoided_.emplace_back(network.actions().size(), false);
    for (dpn::Action action : phase.avoiding) avoided[action] = true;
  }
  if (options.drop_hopeless) outside_goals_ = outside_goals(network_, algebra_);
  demand({.head = network.initial(), .held = LockDomain::no_locks, .phase = 0, .whole_thread = true});
}

Engine::~Engine() {
  if (options_.stop.stop_requested())
    leave_behind(std::move(domain_), std::move(contexts_), std::move(traffic_), std::move(facts_),
                 std::move(candidates_), std::move(frontier_));
}

Verdict Engine::run() {
  expand_fresh();
  while (!candidates_.empty() && !over()) {
    candidates_.take_lightest(frontier_);
    settle_frontier();
    expand_fresh();
  }
  log_run(
      &RunTotals::one_by_one, [&] { return statistics(); },
      [&] { return options_.reduction == nullptr ? std::nullopt : std::optional{options_.reduction->statistics()}; });
  if (!answers_.empty() && !collecting_ && !options_.exhaustive) return Verdict::Reachable;
  if (over()) return Verdict::Unknown;
  return answers_.empty() ? Verdict::Unreachable : Verdict::Reachable;
}

void Engine::expand_fresh() {
  while (!fresh_.empty() && !over()) {
    options_.stop.tell({.contexts = contexts_.size(), .facts = facts_.size()});
    const ContextId context = fresh_.back();
    fresh_.pop_back();
    expand(context);
  }
}

void Engine::settle_frontier() {
  settled_.clear();
  const bool large = options_.jobs > 1 && frontier_.size() >= options_.large_frontier && algebra_.unchanging();
  if (large && !arena_) arena_ = std::make_unique<Arena>(options_.jobs);
  if (large) drop_subsumed(frontier_);
  const FactId first_new{large ? facts_.size() : 0};
  for (const Fact& fact : frontier_) {
    if (over()) return;
    if (!answered(fact.observation) && !subsumed(fact, first_new)) settle(fact);
  }
  options_.stop.tell({.contexts = contexts_.size(), .facts = facts_.size()});
  if (over()) return;
  if (large) return derive_in_pieces();
  derive_from_settled();
}

// The candidate is a fact from now on.
void Engine::settle(const Fact& fact) {
  const FactId id = facts_.push_back(fact);
  Traffic& traffic = traffic_[fact.context];
  auto slot = std::ranges::find(traffic.slots, fact.outcome, &Slot::outcome);
  const bool first = slot == traffic.slots.end();
  if (first) slot = traffic.slots.insert(slot, Slot{fact.outcome, {}});
  if (options_.objective == Objective::Any)
    std::erase_if(slot->facts, [&](const Known& other) { return covers(fact, other); });
  slot->facts.push_back({fact.observation, fact.locks, id});
  if (slot->facts.size() > options_.width_limit) {
    const auto same = [&](const Known& other) { return other.observation == fact.observation; };
    too_wide_ = static_cast<std::size_t>(std::ranges::count_if(slot->facts, same)) > options_.width_limit;
  }
  if (fact.context == root() && algebra_.accepting(fact.observation)) {
    answers_.push_back(id);
    answer_of_.emplace(fact.observation.collected, id);
    if (!options_.exhaustive) return;
  }
  settled_.push_back({id, first, traffic.consumers.size()});
}

// Nothing changes meanwhile. What is subsumed stays so, and what is not need only be compared with the facts that have
// come since.
void Engine::drop_subsumed(std::vector<Fact>& candidates) {
  subsumed_.assign(candidates.size(), 0);
  arena_->divide(candidates.size(), piece_size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) subsumed_[i] = subsumed(candidates[i]) ? 1 : 0;
  });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < candidates.size(); ++i)
    if (subsumed_[i] == 0) candidates[kept++] = candidates[i];
  candidates.erase(candidates.begin() + static_cast<std::ptrdiff_t>(kept), candidates.end());
}

// A later fact of the same frontier covers it, and nobody has to be told that there is such an outcome.
bool Engine::superfluous(const Settled& settled) const {
  if (settled.first_of_its_outcome) return false;
  const Fact& fact = facts_[settled.fact];
  const std::vector<Slot>& slots = traffic_[fact.context].slots;
  const auto slot = std::ranges::find(slots, fact.outcome, &Slot::outcome);
  return !std::ranges::binary_search(slot->facts, settled.fact, {}, &Known::fact);
}

void Engine::derive_from_settled() {
  for (const Settled& settled : settled_) {
    if (over()) return;
    if (superfluous(settled)) continue;
    const ContextId context = facts_[settled.fact].context;
    for (std::size_t i = 0; i < settled.consumers; ++i) {
      const Consumer consumer = traffic_[context].consumers[i];
      deliver(consumer, settled.fact, settled.first_of_its_outcome, settled.fact);
    }
  }
}

// The same by several threads, against tables that do not change: what a thread cannot do without changing them is
// done afterwards, in its place, so that the same facts are found in the same order.
void Engine::derive_in_pieces() {
  const std::size_t size = piece_size();
  const std::size_t count = (settled_.size() + size - 1) / size;
  if (pieces_.size() < count) pieces_.resize(count);
  arena_->divide(count, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      derive_from(i * size, std::min(settled_.size(), (i + 1) * size), pieces_[i]);
  });
  for (std::size_t i = 0; i < count; ++i) finish(pieces_[i]);
}

void Engine::derive_from(std::size_t begin, std::size_t end, Piece& piece) {
  for (std::size_t i = begin; i < end && !options_.stop.stop_requested(); ++i) {
    if (superfluous(settled_[i])) continue;
    const auto& [id, first, consumers] = settled_[i];
    const Fact& fact = facts_[id];
    for (std::size_t number = 0; number < consumers; ++number) {
      const Consumer& consumer = traffic_[fact.context].consumers[number];
      const std::size_t count = piece.derived.count;
      const std::size_t before = piece.derived.candidates.size();
      KnownLocks locks{domain_};
      const bool asks_for_rest = first && consumer.role == Consumer::Role::Body && fact.outcome.has_returned();
      if (!asks_for_rest && derive(consumer, {id, fact}, id, locks, algebra_, piece.derived) && locks.knew_all())
        continue;
      piece.derived.count = count;
      piece.derived.candidates.erase(piece.derived.candidates.begin() + static_cast<std::ptrdiff_t>(before),
                                     piece.derived.candidates.end());
      piece.undone.push_back({id, number, first, before});
    }
  }
}

void Engine::finish(Piece& piece) {
  candidate_count_ += piece.derived.count;
  std::size_t added = 0;
  const auto add_until = [&](std::size_t end) {
    for (; added < end; ++added) candidates_.add(piece.derived.candidates[added]);
  };
  for (const Piece::Undone& undone : piece.undone) {
    if (over()) return;
    add_until(undone.before);
    const Consumer consumer = traffic_[facts_[undone.fact].context].consumers[undone.consumer];
    deliver(consumer, undone.fact, undone.first_of_its_outcome, undone.fact);
  }
  add_until(piece.derived.candidates.size());
  piece.derived.count = 0;
  piece.derived.candidates.clear();
  piece.undone.clear();
}

std::vector<ContextId> Engine::users_of(ContextId context) const {
  std::vector<ContextId> users;
  for (const Consumer& consumer : traffic_[context].consumers) users.push_back(consumer.context);
  return users;
}

std::vector<Fact> Engine::consequences(const Fact& fact) {
  Derived derived;
  const FactId all{facts_.size()};
  for (const Consumer& consumer : traffic_[fact.context].consumers)
    (void)derive(consumer, {all, fact}, all, domain_, algebra_, derived);
  return std::move(derived.candidates);
}

EngineStatistics Engine::statistics() const {
  EngineStatistics statistics{.contexts = contexts_.size(),
                              .facts = facts_.size(),
                              .candidates = candidate_count_,
                              .structures = domain_.structure_count()};
  for (const Traffic& traffic : traffic_)
    for (const Slot& slot : traffic.slots)
      statistics.widest_antichain = std::max(statistics.widest_antichain, slot.facts.size());
  return statistics;
}

// Facts that cover each other are equal, and equal facts are not derived twice.
template <class A, class B>
bool Engine::covers(const A& fact, const B& other) const {
  return dominates(fact.observation, other.observation) && domain_.subsumes(fact.locks, other.locks);
}

std::vector<FactId> Engine::essential_facts(ContextId context) const {
  std::vector<FactId> essential;
  for (const Slot& slot : traffic_[context].slots)
    for (const Known& known : slot.facts)
      if (std::ranges::none_of(slot.facts,
                               [&](const Known& other) { return other.fact != known.fact && covers(other, known); }))
        essential.push_back(known.fact);
  return essential;
}

// --- Contexts: the inherited part ---------------------------------------------------------------------------------

std::uint64_t Engine::weight(RuleId rule) const {
  return options_.reduction == nullptr ? node_weight : options_.reduction->weight(rule);
}

ContextId Engine::demand(const Context& context) {
  const auto [id, is_new] = contexts_.intern(context);
  if (is_new) {
    traffic_.push_back({});
    fresh_.push_back(id);
  }
  return id;
}

bool Engine::is_allowed(RuleId rule, PhaseIndex phase) const { return !avoided_[phase][network_.rule(rule).action]; }

bool Engine::reentrant(ContextId context, const dpn::Entry& entry) const {
  return entry.lock && domain_.lock_set(contexts_[context].held).contains(*entry.lock);
}

void Engine::expand(ContextId id) {
  const Context context = contexts_[id];
  if (context.whole_thread) {
    const ContextId inside = demand({context.head, context.held, context.phase, false});
    return listen(inside, {Consumer::Role::Thread, id, {}, {}, {}});
  }
  if (context.phase == last_) {
    propose(id, Outcome::standing(), algebra_.stand(context.head, domain_.lock_set(context.held)), LockDomain::empty,
            node_weight, {Step::Stand, {}, {}, {}}, derived_);
    add(derived_);
  } else {
    listen(demand({context.head, context.held, context.phase + 1, false}), {Consumer::Role::Cut, id, {}, {}, {}});
  }
  for (RuleId rule : network_.rules_from(context.head))
    if (is_allowed(rule, context.phase)) expand(id, rule);
}

void Engine::expand(ContextId id, RuleId rule) {
  const Context context = contexts_[id];
  const dpn::Effect& effect = network_.rule(rule).effect;
  if (const auto* base = std::get_if<dpn::Base>(&effect)) {
    listen(demand({base->to, context.held, context.phase, false}), {Consumer::Role::Base, id, rule, {}, {}});
  } else if (const auto* ret = std::get_if<dpn::Return>(&effect)) {
    propose(id, Outcome::returned(ret->to, context.phase), algebra_.ret(rule, context.phase), LockDomain::empty,
            node_weight, {Step::Return, rule, {}, {}}, derived_);
    add(derived_);
  } else if (const auto* spawned = std::get_if<dpn::Spawn>(&effect)) {
    const ContextId child = demand({spawned->child, LockDomain::no_locks, context.phase, true});
    const ContextId parent = demand({spawned->parent, context.held, context.phase, false});
    // Only the second of the two is shown the facts that are there already, so that no pair is made twice.
    traffic_[child].consumers.push_back({Consumer::Role::Child, id, rule, parent, {}});
    listen(parent, {Consumer::Role::Parent, id, rule, child, {}});
  } else {
    const dpn::Entry entry = *dpn::entry_of(network_.rule(rule));
    const LockSetId held = entry.lock ? domain_.with(context.held, *entry.lock) : context.held;
    listen(demand({entry.callee, held, context.phase, false}), {Consumer::Role::Body, id, rule, {}, {}});
  }
}

// --- Facts: the synthesised part ----------------------------------------------------------------------------------

// The consumer gets the facts that are there and all that will come.
void Engine::listen(ContextId to, const Consumer& consumer) {
  traffic_[to].consumers.push_back(consumer);
  const std::vector<Slot> slots = traffic_[to].slots;  // a copy: what is asked for meanwhile makes the table grow
  for (const Slot& slot : slots) {
    if (consumer.role == Consumer::Role::Body && slot.outcome.has_returned()) {
      await_rest(consumer, to, slot.outcome);
      continue;
    }
    for (const Known& known : slot.facts) deliver(consumer, known.fact, false, FactId{facts_.size()});
  }
}

// A body can return with this outcome, so what follows the call is asked for.
void Engine::await_rest(const Consumer& body, ContextId body_context, Outcome outcome) {
  const Context& caller = contexts_[body.context];
  const dpn::Entry entry = *dpn::entry_of(network_.rule(*body.rule));
  const ContextId rest = demand(
      {{outcome.control(), entry.return_point}, caller.held, static_cast<std::uint32_t>(outcome.phase()), false});
  listen(rest, {Consumer::Role::Rest, body.context, body.rule, body_context, outcome});
}

void Engine::deliver(const Consumer& consumer, FactId id, bool first_of_its_outcome, FactId newest_partner) {
  const Fact& fact = facts_[id];
  if (consumer.role == Consumer::Role::Body && fact.outcome.has_returned() && first_of_its_outcome)
    return await_rest(consumer, fact.context, fact.outcome);
  const bool done = derive(consumer, {id, fact}, newest_partner, domain_, algebra_, derived_);
  assert(done);
  (void)done;
  add(derived_);
}

void Engine::add(Derived& derived) {
  candidate_count_ += derived.count;
  for (const Fact& candidate : derived.candidates) candidates_.add(candidate);
  derived.count = 0;
  derived.candidates.clear();
}

template <class Locks>
bool Engine::derive(const Consumer& consumer, Numbered numbered, FactId newest_partner, Locks& locks,
                    ObservationAlgebra& algebra, Derived& derived) const {
  const auto& [id, fact] = numbered;
  const Context& context = contexts_[consumer.context];
  const auto with_partners = [&](ContextId partner_context, auto wanted, auto use) {
    for (const Slot& slot : traffic_[partner_context].slots) {
      if (!wanted(slot.outcome)) continue;
      for (const Known& partner : slot.facts)
        if (partner.fact <= newest_partner) use(Numbered{partner.fact, facts_[partner.fact]});
    }
  };
  const auto any = [](Outcome) { return true; };

  switch (consumer.role) {
    case Consumer::Role::Thread:
      propose(consumer.context, Outcome::standing(), {fact.observation},
              locks.join(fact.locks, LockDomain::empty, OwnUses::OfRight), fact.weight, {Step::Thread, {}, id, {}},
              derived);
      return true;
    case Consumer::Role::Cut:
      propose(consumer.context, fact.outcome,
              algebra.cut(context.head, locks.lock_set(context.held), context.phase, fact.observation), fact.locks,
              fact.weight, {Step::Cut, {}, id, {}}, derived);
      return true;
    case Consumer::Role::Base:
      propose(consumer.context, fact.outcome,
              algebra.unary({NodeKind::Base, *consumer.rule}, context.phase, fact.observation), fact.locks,
              sum_of_weights(fact.weight, weight(*consumer.rule)), {Step::Base, consumer.rule, id, {}}, derived);
      return true;
    case Consumer::Role::Body: {
      if (!fact.outcome.has_returned()) {
        enter(consumer, numbered, locks, algebra, derived);
        return true;
      }
      const dpn::Entry entry = *dpn::entry_of(network_.rule(*consumer.rule));
      const auto rest = contexts_.find({{fact.outcome.control(), entry.return_point},
                                        context.held,
                                        static_cast<std::uint32_t>(fact.outcome.phase()),
                                        false});
      if (!rest) return false;
      with_partners(*rest, any, [&](Numbered after) { complete(consumer, numbered, after, locks, algebra, derived); });
      return true;
    }
    case Consumer::Role::Rest:
      with_partners(
          *consumer.partner, [&](Outcome outcome) { return outcome == *consumer.body_outcome; },
          [&](Numbered body) { complete(consumer, body, numbered, locks, algebra, derived); });
      return true;
    case Consumer::Role::Child:
      with_partners(*consumer.partner, any,
                    [&](Numbered parent) { spawn(consumer, numbered, parent, locks, algebra, derived); });
      return true;
    case Consumer::Role::Parent:
      with_partners(*consumer.partner, any,
                    [&](Numbered child) { spawn(consumer, child, numbered, locks, algebra, derived); });
      return true;
  }
  return true;
}

template <class Locks>
void Engine::enter(const Consumer& consumer, Numbered numbered, Locks& locks, ObservationAlgebra& algebra,
                   Derived& derived) const {
  const auto& [id, body] = numbered;
  const PhaseIndex phase = contexts_[consumer.context].phase;
  const dpn::Entry entry = *dpn::entry_of(network_.rule(*consumer.rule));
  const bool again = reentrant(consumer.context, entry);
  const NodeLabel label{entry.lock ? NodeKind::Acq : NodeKind::NCall, *consumer.rule,
                        again ? Reentrance::Yes : Reentrance::No};
  const auto inside =
      entry.lock && !again ? locks.monitor(*entry.lock, phase, std::nullopt, body.locks) : std::optional{body.locks};
  propose(consumer.context, Outcome::standing(), algebra.unary(label, phase, body.observation), inside,
          sum_of_weights(body.weight, node_weight), {Step::Enter, consumer.rule, id, {}}, derived);
}

template <class Locks>
void Engine::complete(const Consumer& consumer, Numbered numbered_body, Numbered numbered_rest, Locks& locks,
                      ObservationAlgebra& algebra, Derived& derived) const {
  const auto& [body_id, body] = numbered_body;
  const auto& [rest_id, rest] = numbered_rest;
  const RuleId rule = *consumer.rule;
  const PhaseIndex phase = contexts_[consumer.context].phase;
  const PhaseIndex returned = body.outcome.phase();
  const dpn::Entry entry = *dpn::entry_of(network_.rule(rule));
  const bool again = reentrant(consumer.context, entry);
  const auto inside =
      entry.lock && !again ? locks.monitor(*entry.lock, phase, returned, body.locks) : std::optional{body.locks};
  if (!inside) return;
  const bool same_phase = rest.outcome.has_returned() && rest.outcome.phase() == returned;
  const auto both = locks.join(*inside, rest.locks, same_phase ? OwnUses::OfBoth : OwnUses::OfRight);
  if (!both) return;
  const NodeLabel label{entry.lock ? NodeKind::Use : NodeKind::RCall, rule, again ? Reentrance::Yes : Reentrance::No};
  propose(consumer.context, rest.outcome, algebra.returned(label, phase, returned, body.observation, rest.observation),
          both, sum_of_weights(sum_of_weights(body.weight, rest.weight), node_weight),
          {Step::Complete, rule, body_id, rest_id}, derived);
}

template <class Locks>
void Engine::spawn(const Consumer& consumer, Numbered numbered_child, Numbered numbered_parent, Locks& locks,
                   ObservationAlgebra& algebra, Derived& derived) const {
  const auto& [child_id, child] = numbered_child;
  const auto& [parent_id, parent] = numbered_parent;
  const auto both = locks.join(child.locks, parent.locks, OwnUses::OfRight);
  if (!both) return;
  const std::uint64_t weight = node_weight + (options_.objective == Objective::FewestThreads ? thread_weight : 0);
  propose(consumer.context, parent.outcome,
          algebra.spawn(*consumer.rule, contexts_[consumer.context].phase, child.observation, parent.observation), both,
          sum_of_weights(sum_of_weights(child.weight, parent.weight), weight),
          {Step::Spawn, consumer.rule, child_id, parent_id}, derived);
}

void Engine::propose(ContextId context, Outcome outcome, const Observations& observations,
                     std::optional<StructureId> locks, std::uint64_t weight, const Derivation& derivation,
                     Derived& derived) const {
  if (!locks) return;
  for (const Observation& observation : observations) {
    const Fact candidate{context, outcome, observation, *locks, weight, derivation};
    ++derived.count;
    if (!hopeless(context, observation) && !answered(observation) && !subsumed(candidate))
      derived.candidates.push_back(candidate);
  }
}

bool Engine::answered(const Observation& observation) const {
  return collecting_ && answer_of_.contains(observation.collected);
}

bool Engine::hopeless(ContextId context, const Observation& observation) const {
  return outside_goals_ && (observation.goals | (*outside_goals_)[contexts_[context].head.top]) != algebra_.all_goals();
}

bool Engine::subsumed(const Fact& candidate, FactId by_those_from) const {
  const std::vector<Slot>& slots = traffic_[candidate.context].slots;
  const auto slot = std::ranges::find(slots, candidate.outcome, &Slot::outcome);
  if (slot == slots.end()) return false;
  const auto first = by_those_from == FactId{0}
                         ? slot->facts.begin()
                         : std::ranges::lower_bound(slot->facts, by_those_from, {}, &Known::fact);
  return std::any_of(first, slot->facts.end(), [&](const Known& known) { return covers(known, candidate); });
}

}  // namespace lockwood::solver
