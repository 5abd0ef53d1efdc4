#include "solver/engine.hpp"

#include <algorithm>
#include <cassert>

#include "solver/outside_goals.hpp"
#include "solver/reduction.hpp"
#include "solver/weight.hpp"

namespace lockwood::solver {

using dpn::NodeKind;
using dpn::Reentrance;
using dpn::RuleId;
using dpn::Verdict;
using Step = Derivation::Step;

Engine::Engine(const dpn::Network& network, const Problem& problem, EngineOptions options)
    : network_{options.reduction == nullptr ? network : options.reduction->network()},
      options_{options},
      last_{problem.phases.size() - 1},
      collecting_{problem.collect.has_value()},
      domain_{problem.semantics, problem.phases.size()},
      algebra_{network_, problem, network} {
  for (const Phase& phase : problem.phases) {
    auto& avoided = avoided_.emplace_back(network.actions().size(), false);
    for (dpn::Action action : phase.avoiding) avoided[action] = true;
  }
  if (options.drop_hopeless) outside_goals_ = outside_goals(network_, algebra_);
  demand({.head = network.initial(), .held = LockDomain::no_locks, .phase = 0, .whole_thread = true});
}

Verdict Engine::run() {
  while (true) {
    while (!fresh_.empty()) {
      if (options_.stop.stop_requested()) return Verdict::Unknown;
      options_.stop.tell({.contexts = contexts_.size(), .facts = facts_.size()});
      const ContextId context = fresh_.back();
      fresh_.pop_back();
      expand(context);
    }
    if (queue_.empty()) return answers_.empty() ? Verdict::Unreachable : Verdict::Reachable;
    if (options_.stop.stop_requested()) return Verdict::Unknown;
    options_.stop.tell({.contexts = contexts_.size(), .facts = facts_.size()});
    std::pop_heap(queue_.begin(), queue_.end());
    const std::uint32_t place = queue_.back().place;
    queue_.pop_back();
    const Fact fact = candidates_[place];
    free_places_.push_back(place);
    if (answered(fact.observation) || subsumed(fact)) continue;
    settle(fact);
    if (decided()) return Verdict::Reachable;
    if (too_wide_) return Verdict::Unknown;
  }
}

EngineStatistics Engine::statistics() const {
  EngineStatistics statistics{.contexts = contexts_.size(),
                              .facts = facts_.size(),
                              .candidates = age_,
                              .structures = domain_.structure_count()};
  for (const Traffic& traffic : traffic_)
    for (const Slot& slot : traffic.slots)
      statistics.widest_antichain = std::max(statistics.widest_antichain, slot.facts.size());
  return statistics;
}

std::vector<FactId> Engine::essential_facts(ContextId context) const {
  std::vector<FactId> essential;
  for (const Slot& slot : traffic_[context].slots)
    for (FactId id : slot.facts)
      if (std::ranges::none_of(slot.facts, [&](FactId other) { return other != id && covers(other, id); }))
        essential.push_back(id);
  return essential;
}

// Facts that cover each other are equal, and equal facts are not derived twice.
bool Engine::covers(FactId a, FactId b) const {
  return dominates(facts_[a].observation, facts_[b].observation) && domain_.subsumes(facts_[a].locks, facts_[b].locks);
}

// --- Contexts: the inherited part ---------------------------------------------------------------------------------

std::uint64_t Engine::weight(RuleId rule) const {
  return options_.reduction == nullptr ? node_weight : options_.reduction->weight(rule);
}

ContextId Engine::demand(const Context& context) {
  const auto [at, inserted] = numbers_.try_emplace(context, ContextId{contexts_.size()});
  if (inserted) {
    contexts_.push_back(context);
    traffic_.push_back({});
    fresh_.push_back(at->second);
  }
  return at->second;
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
            node_weight, {Step::Stand, {}, {}, {}});
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
            node_weight, {Step::Return, rule, {}, {}});
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
    for (FactId fact : slot.facts) deliver(consumer, fact, false);
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

void Engine::deliver(const Consumer& consumer, FactId id, bool first_of_its_outcome) {
  const Fact fact = facts_[id];
  const Context context = contexts_[consumer.context];
  const auto partners = [&](auto wanted, auto use) {
    for (const Slot& slot : traffic_[*consumer.partner].slots)
      if (wanted(slot.outcome))
        for (FactId partner : slot.facts) use(partner);
  };
  const auto any = [](Outcome) { return true; };

  switch (consumer.role) {
    case Consumer::Role::Thread:
      return propose(consumer.context, Outcome::standing(), {fact.observation}, domain_.as_thread(fact.locks),
                     fact.weight, {Step::Thread, {}, id, {}});
    case Consumer::Role::Cut:
      return propose(consumer.context, fact.outcome,
                     algebra_.cut(context.head, domain_.lock_set(context.held), context.phase, fact.observation),
                     fact.locks, fact.weight, {Step::Cut, {}, id, {}});
    case Consumer::Role::Base:
      return propose(consumer.context, fact.outcome,
                     algebra_.unary({NodeKind::Base, *consumer.rule}, context.phase, fact.observation), fact.locks,
                     sum_of_weights(fact.weight, weight(*consumer.rule)), {Step::Base, consumer.rule, id, {}});
    case Consumer::Role::Body: {
      if (!fact.outcome.has_returned()) return enter(consumer, id);
      if (first_of_its_outcome) return await_rest(consumer, fact.context, fact.outcome);
      const dpn::Entry entry = *dpn::entry_of(network_.rule(*consumer.rule));
      const ContextId rest = numbers_.at({{fact.outcome.control(), entry.return_point},
                                          context.held,
                                          static_cast<std::uint32_t>(fact.outcome.phase()),
                                          false});
      for (const Slot& slot : traffic_[rest].slots)
        for (FactId partner : slot.facts) complete(consumer.context, *consumer.rule, id, partner);
      return;
    }
    case Consumer::Role::Rest:
      return partners([&](Outcome outcome) { return outcome == *consumer.body_outcome; },
                      [&](FactId body) { complete(consumer.context, *consumer.rule, body, id); });
    case Consumer::Role::Child:
      return partners(any, [&](FactId parent) { spawn(consumer.context, *consumer.rule, id, parent); });
    case Consumer::Role::Parent:
      return partners(any, [&](FactId child) { spawn(consumer.context, *consumer.rule, child, id); });
  }
}

void Engine::enter(const Consumer& consumer, FactId id) {
  const Fact& body = facts_[id];
  const PhaseIndex phase = contexts_[consumer.context].phase;
  const dpn::Entry entry = *dpn::entry_of(network_.rule(*consumer.rule));
  const bool again = reentrant(consumer.context, entry);
  const NodeLabel label{entry.lock ? NodeKind::Acq : NodeKind::NCall, *consumer.rule,
                        again ? Reentrance::Yes : Reentrance::No};
  const auto locks =
      entry.lock && !again ? domain_.monitor(*entry.lock, phase, std::nullopt, body.locks) : std::optional{body.locks};
  propose(consumer.context, Outcome::standing(), algebra_.unary(label, phase, body.observation), locks,
          sum_of_weights(body.weight, node_weight), {Step::Enter, consumer.rule, id, {}});
}

void Engine::complete(ContextId context, RuleId rule, FactId body_id, FactId rest_id) {
  const Fact& body = facts_[body_id];
  const Fact& rest = facts_[rest_id];
  const PhaseIndex phase = contexts_[context].phase;
  const PhaseIndex returned = body.outcome.phase();
  const dpn::Entry entry = *dpn::entry_of(network_.rule(rule));
  const bool again = reentrant(context, entry);
  auto locks =
      entry.lock && !again ? domain_.monitor(*entry.lock, phase, returned, body.locks) : std::optional{body.locks};
  if (!locks) return;
  const bool same_phase = rest.outcome.has_returned() && rest.outcome.phase() == returned;
  locks = domain_.join(*locks, rest.locks, same_phase ? OwnUses::OfBoth : OwnUses::OfRight);
  if (!locks) return;
  const NodeLabel label{entry.lock ? NodeKind::Use : NodeKind::RCall, rule, again ? Reentrance::Yes : Reentrance::No};
  propose(context, rest.outcome, algebra_.returned(label, phase, returned, body.observation, rest.observation), locks,
          sum_of_weights(sum_of_weights(body.weight, rest.weight), node_weight),
          {Step::Complete, rule, body_id, rest_id});
}

void Engine::spawn(ContextId context, RuleId rule, FactId child_id, FactId parent_id) {
  const Fact& child = facts_[child_id];
  const Fact& parent = facts_[parent_id];
  const auto locks = domain_.join(child.locks, parent.locks, OwnUses::OfRight);
  if (!locks) return;
  const std::uint64_t weight = node_weight + (options_.objective == Objective::FewestThreads ? thread_weight : 0);
  propose(context, parent.outcome,
          algebra_.spawn(rule, contexts_[context].phase, child.observation, parent.observation), locks,
          sum_of_weights(sum_of_weights(child.weight, parent.weight), weight),
          {Step::Spawn, rule, child_id, parent_id});
}

void Engine::propose(ContextId context, Outcome outcome, const Observations& observations,
                     std::optional<StructureId> locks, std::uint64_t weight, const Derivation& derivation) {
  if (!locks) return;
  for (const Observation& observation : observations) {
    const Fact candidate{context, outcome, observation, *locks, weight, derivation};
    ++age_;
    if (hopeless(context, observation) || answered(observation) || subsumed(candidate)) continue;
    std::uint32_t place = 0;
    if (free_places_.empty()) {
      place = static_cast<std::uint32_t>(candidates_.size());
      candidates_.push_back(candidate);
    } else {
      place = free_places_.back();
      free_places_.pop_back();
      candidates_[place] = candidate;
    }
    queue_.push_back({weight, age_, place});
    std::push_heap(queue_.begin(), queue_.end());
  }
}

bool Engine::answered(const Observation& observation) const {
  return collecting_ && answer_of_.contains(observation.collected);
}

bool Engine::hopeless(ContextId context, const Observation& observation) const {
  return outside_goals_ && (observation.goals | (*outside_goals_)[contexts_[context].head.top]) != algebra_.all_goals();
}

bool Engine::subsumed(const Fact& candidate) const {
  for (const Slot& slot : traffic_[candidate.context].slots)
    if (slot.outcome == candidate.outcome)
      return std::ranges::any_of(slot.facts, [&](FactId id) {
        const Fact& fact = facts_[id];
        return dominates(fact.observation, candidate.observation) && domain_.subsumes(fact.locks, candidate.locks);
      });
  return false;
}

// The candidate is a fact from now on, and all who wait for it get it.
void Engine::settle(const Fact& fact) {
  const FactId id = facts_.push_back(fact);
  std::vector<Slot>& slots = traffic_[fact.context].slots;
  auto slot = std::ranges::find(slots, fact.outcome, &Slot::outcome);
  const bool first = slot == slots.end();
  if (first) slot = slots.insert(slots.end(), Slot{fact.outcome, {}});
  if (options_.objective == Objective::Any) std::erase_if(slot->facts, [&](FactId other) { return covers(id, other); });
  slot->facts.push_back(id);
  if (slot->facts.size() > options_.width_limit) {
    const auto same = [&](FactId other) { return facts_[other].observation == fact.observation; };
    too_wide_ = static_cast<std::size_t>(std::ranges::count_if(slot->facts, same)) > options_.width_limit;
  }
  if (fact.context == root() && algebra_.accepting(fact.observation)) {
    answers_.push_back(id);
    answer_of_.emplace(fact.observation.collected, id);
    return;
  }
  // Those who come to listen meanwhile are shown this fact when they come.
  const std::size_t consumers = traffic_[fact.context].consumers.size();
  for (std::size_t i = 0; i < consumers; ++i) {
    const Consumer consumer = traffic_[fact.context].consumers[i];
    deliver(consumer, id, first);
  }
}

}  // namespace lockwood::solver
