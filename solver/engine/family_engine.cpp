#include "solver/engine/family_engine.hpp"

#include <algorithm>
#include <span>

#include "solver/engine/outside_goals.hpp"
#include "solver/engine/run_log.hpp"
#include "solver/reduction/reduction.hpp"

namespace lockwood::solver {

using dpn::NodeKind;
using dpn::Reentrance;
using dpn::RuleId;
using dpn::Verdict;
using Step = Derivation::Step;

FamilyEngine::FamilyEngine(const dpn::Network& network, const Problem& problem, const LockGroups& groups,
                           const EngineOptions& options)
    : network_{options.reduction == nullptr ? network : options.reduction->network()},
      last_{problem.phases.size() - 1},
      stop_{options.stop},
      held_{{}, problem.phases.size()},
      domain_{{problem.semantics, options.excluding}, problem.phases.size(), groups, options.stop},
      algebra_{network_, problem, network},
      contexts_{network_} {
  if (options.drop_hopeless) outside_goals_ = outside_goals(network_, algebra_);
  for (const Phase& phase : problem.phases) {
    auto& avoided = avoided_.emplace_back(network.actions().size(), false);
    for (dpn::Action action : phase.avoiding) avoided[action] = true;
  }
  demand({.head = network.initial(), .held = LockDomain::no_locks, .phase = 0, .whole_thread = true});
}

Verdict FamilyEngine::run() {
  const auto logged = [&](Verdict verdict) {
    log_run(
        &RunTotals::by_families, [&] { return statistics(); }, [] { return std::nullopt; });
    return verdict;
  };
  try {
    while (true) {
      stop_.check();
      stop_.tell({.contexts = contexts_.size(), .facts = cells_.size()});
      if (!fresh_.empty()) {
        const ContextId context = fresh_.back();
        fresh_.pop_back();
        expand(context);
      } else if (!queue_.empty()) {
        const CellId cell = queue_.front();
        queue_.pop_front();
        pass_on(cell);
        if (answer_) return logged(Verdict::Reachable);
      } else {
        return logged(Verdict::Unreachable);
      }
    }
  } catch (const Interrupted&) {
    return logged(Verdict::Unknown);
  }
}

EngineStatistics FamilyEngine::statistics() const {
  EngineStatistics statistics{.contexts = contexts_.size(), .facts = cells_.size(), .candidates = candidates_};
  constexpr std::size_t counted_after_stop = 10'000;
  const std::size_t counted = stop_.stop_requested() ? counted_after_stop : cells_.size();
  for (const Cell& cell : std::span{cells_.rows()}.first(std::min(counted, cells_.size()))) {
    const std::size_t size = domain_.table().size(cell.known);
    statistics.widest_antichain = std::max(statistics.widest_antichain, size);
    const std::size_t most = std::numeric_limits<std::size_t>::max();
    statistics.structures = size > most - statistics.structures ? most : statistics.structures + size;
  }
  return statistics;
}

// --- Contexts: the inherited part, as in engine.cpp ---------------------------------------------------------------

ContextId FamilyEngine::demand(const Context& context) {
  const auto [id, is_new] = contexts_.intern(context);
  if (is_new) {
    traffic_.push_back({});
    fresh_.push_back(id);
  }
  return id;
}

bool FamilyEngine::is_allowed(RuleId rule, PhaseIndex phase) const {
  return !avoided_[phase][network_.rule(rule).action];
}

void FamilyEngine::expand(ContextId id) {
  const Context context = contexts_[id];
  if (context.whole_thread) {
    const ContextId inside = demand({context.head, context.held, context.phase, false});
    return listen(inside, {Consumer::Role::Thread, id, {}, {}, {}});
  }
  if (context.phase == last_) {
    for (const Observation& observation : algebra_.stand(context.head, held_.lock_set(context.held)))
      propose(id, Outcome::standing(), observation, domain_.empty_structure());
  } else {
    listen(demand({context.head, context.held, context.phase + 1, false}), {Consumer::Role::Cut, id, {}, {}, {}});
  }
  for (RuleId rule : network_.rules_from(context.head))
    if (is_allowed(rule, context.phase)) expand(id, rule);
}

void FamilyEngine::expand(ContextId id, RuleId rule) {
  const Context context = contexts_[id];
  const dpn::Effect& effect = network_.rule(rule).effect;
  if (const auto* base = std::get_if<dpn::Base>(&effect)) {
    listen(demand({base->to, context.held, context.phase, false}), {Consumer::Role::Base, id, rule, {}, {}});
  } else if (const auto* ret = std::get_if<dpn::Return>(&effect)) {
    for (const Observation& observation : algebra_.ret(rule, context.phase))
      propose(id, Outcome::returned(ret->to, context.phase), observation, domain_.empty_structure());
  } else if (const auto* spawned = std::get_if<dpn::Spawn>(&effect)) {
    const ContextId child = demand({spawned->child, LockDomain::no_locks, context.phase, true});
    const ContextId parent = demand({spawned->parent, context.held, context.phase, false});
    // Only the second of the two is shown what is there already, so that no pair is made twice.
    traffic_[child].consumers.push_back({Consumer::Role::Child, id, rule, parent, {}});
    listen(parent, {Consumer::Role::Parent, id, rule, child, {}});
  } else {
    const dpn::Entry entry = *dpn::entry_of(network_.rule(rule));
    const LockSetId held = entry.lock ? held_.with(context.held, *entry.lock) : context.held;
    listen(demand({entry.callee, held, context.phase, false}), {Consumer::Role::Body, id, rule, {}, {}});
  }
}

// --- Families: the synthesised part -------------------------------------------------------------------------------

SetFamily FamilyEngine::settled(CellId id) const {
  const Cell& cell = cells_[id];
  return domain_.table().subtract(cell.known, cell.pending);
}

// The consumer gets what was passed on before and all that will be.
void FamilyEngine::listen(ContextId to, const Consumer& consumer) {
  traffic_[to].consumers.push_back(consumer);
  const Traffic traffic = traffic_[to];  // a copy: what is asked for meanwhile makes the table grow
  if (consumer.role == Consumer::Role::Body)
    for (Outcome outcome : traffic.announced)
      if (outcome.has_returned()) await_rest(consumer, to, outcome);
  for (CellId cell : traffic.cells) {
    const bool body_returned = consumer.role == Consumer::Role::Body && cells_[cell].outcome.has_returned();
    if (!cells_[cell].history.empty() && !body_returned) deliver(consumer, cell, settled(cell), false);
  }
}

// A body can return with this outcome, so what follows the call is asked for.
void FamilyEngine::await_rest(const Consumer& body, ContextId body_context, Outcome outcome) {
  const Context& caller = contexts_[body.context];
  const dpn::Entry entry = *dpn::entry_of(network_.rule(*body.rule));
  const ContextId rest = demand(
      {{outcome.control(), entry.return_point}, caller.held, static_cast<std::uint32_t>(outcome.phase()), false});
  listen(rest, {Consumer::Role::Rest, body.context, body.rule, body_context, outcome});
}

void FamilyEngine::pass_on(CellId id) {
  const FamilyTable& table = domain_.table();
  const SetFamily news = table.intersect(cells_[id].pending, cells_[id].known);
  cells_[id].pending = table.none();
  cells_[id].queued = false;
  if (news.empty()) return;
  cells_[id].history.push_back({++time_, news});
  const ContextId context = cells_[id].context;
  if (context == ContextId{0} && algebra_.accepting(cells_[id].observation)) {
    answer_ = id;
    return;
  }
  std::vector<Outcome>& announced = traffic_[context].announced;
  const bool first = !std::ranges::count(announced, cells_[id].outcome);
  if (first) announced.push_back(cells_[id].outcome);
  // Those who come to listen meanwhile are shown the news when they come.
  const std::size_t consumers = traffic_[context].consumers.size();
  for (std::size_t i = 0; i < consumers; ++i) {
    const Consumer consumer = traffic_[context].consumers[i];
    deliver(consumer, id, news, first);
  }
}

void FamilyEngine::deliver(const Consumer& consumer, CellId id, const SetFamily& news, bool first_of_its_outcome) {
  const auto partners = [&](ContextId of, auto use) {
    const std::size_t cells = traffic_[of].cells.size();
    for (std::size_t i = 0; i < cells; ++i) use(traffic_[of].cells[i]);
  };
  const Outcome outcome = cells_[id].outcome;
  const Production complete{Step::Complete, consumer.context, consumer.rule};
  const Production spawn{Step::Spawn, consumer.context, consumer.rule};

  switch (consumer.role) {
    case Consumer::Role::Thread: return derive({Step::Thread, consumer.context, {}}, id, news);
    case Consumer::Role::Cut: return derive({Step::Cut, consumer.context, {}}, id, news);
    case Consumer::Role::Base: return derive({Step::Base, consumer.context, consumer.rule}, id, news);
    case Consumer::Role::Body: {
      if (!outcome.has_returned()) return derive({Step::Enter, consumer.context, consumer.rule}, id, news);
      if (first_of_its_outcome) return await_rest(consumer, cells_[id].context, outcome);
      const ContextId rest = *contexts_.find({{outcome.control(), entry_of(complete).return_point},
                                              contexts_[consumer.context].held,
                                              static_cast<std::uint32_t>(outcome.phase()),
                                              false});
      return partners(rest, [&](CellId partner) { derive(complete, id, news, partner, settled(partner)); });
    }
    case Consumer::Role::Rest:
      return partners(*consumer.partner, [&](CellId body) {
        if (cells_[body].outcome == *consumer.body_outcome) derive(complete, body, settled(body), id, news);
      });
    case Consumer::Role::Child:
      return partners(*consumer.partner, [&](CellId parent) { derive(spawn, id, news, parent, settled(parent)); });
    case Consumer::Role::Parent:
      return partners(*consumer.partner, [&](CellId child) { derive(spawn, child, settled(child), id, news); });
  }
}

void FamilyEngine::derive(const Production& production, CellId below, const SetFamily& structures) {
  const SetFamily result = structures_of(production, structures);
  const Outcome outcome = outcome_of(production, below);
  for (const Observation& observation : seen(production, cells_[below].observation))
    propose(production.context, outcome, observation, result);
}

void FamilyEngine::derive(const Production& production, CellId left, const SetFamily& left_structures, CellId right,
                          const SetFamily& right_structures) {
  if (left_structures.empty() || right_structures.empty()) return;
  const Observations observations = seen(production, left, right);
  if (observations.empty()) return;
  const Outcome outcome = cells_[right].outcome;
  const SetFamily result = structures_of(production, cells_[left].outcome, outcome, left_structures, right_structures);
  for (const Observation& observation : observations) propose(production.context, outcome, observation, result);
}

CellId FamilyEngine::cell_for(ContextId context, Outcome outcome, const Observation& observation) {
  for (CellId cell : traffic_[context].cells)
    if (cells_[cell].outcome == outcome && cells_[cell].observation == observation) return cell;
  const SetFamily none = domain_.table().none();
  const CellId created = cells_.push_back({context, outcome, observation, none, none, {}});
  traffic_[context].cells.push_back(created);
  return created;
}

void FamilyEngine::propose(ContextId context, Outcome outcome, const Observation& observation, SetFamily structures) {
  if (outside_goals_ && (observation.goals | (*outside_goals_)[contexts_[context].head.top]) != algebra_.all_goals())
    return;
  const FamilyTable& table = domain_.table();
  ++candidates_;
  for (CellId other : traffic_[context].cells)
    if (cells_[other].outcome == outcome && dominates(cells_[other].observation, observation))
      structures = table.without_supersets(structures, cells_[other].known);
  if (structures.empty()) return;
  const CellId id = cell_for(context, outcome, observation);
  Cell& cell = cells_[id];
  cell.known = table.minimal(table.unite(cell.known, structures));
  cell.pending = table.unite(cell.pending, structures);
  for (CellId other : traffic_[context].cells)
    if (other != id && cells_[other].outcome == outcome && dominates(observation, cells_[other].observation))
      cells_[other].known = table.without_supersets(cells_[other].known, structures);
  if (!cell.queued) queue_.push_back(id);
  cell.queued = true;
}

// --- Productions --------------------------------------------------------------------------------------------------

dpn::Entry FamilyEngine::entry_of(const Production& production) const {
  return *dpn::entry_of(network_.rule(*production.rule));
}

bool FamilyEngine::reentrant(const Production& production) const {
  const dpn::Entry entry = entry_of(production);
  return entry.lock && held_.lock_set(contexts_[production.context].held).contains(*entry.lock);
}

Outcome FamilyEngine::outcome_of(const Production& production, CellId below) const {
  const bool stands = production.step == Step::Enter || production.step == Step::Thread;
  return stands ? Outcome::standing() : cells_[below].outcome;
}

SetFamily FamilyEngine::structures_of(const Production& production, const SetFamily& below) const {
  if (production.step == Step::Thread) return domain_.as_thread(below);
  if (production.step != Step::Enter) return below;
  const dpn::Entry entry = entry_of(production);
  if (!entry.lock || reentrant(production)) return below;
  return domain_.monitor(*entry.lock, contexts_[production.context].phase, std::nullopt, below);
}

SetFamily FamilyEngine::structures_of(const Production& production, Outcome left_outcome, Outcome right_outcome,
                                      const SetFamily& left, const SetFamily& right) const {
  if (production.step == Step::Spawn) return domain_.join(left, right, OwnUses::OfRight);
  const PhaseIndex returned = left_outcome.phase();
  const dpn::Entry entry = entry_of(production);
  const bool takes = entry.lock && !reentrant(production);
  const bool same_phase = right_outcome.has_returned() && right_outcome.phase() == returned;
  return domain_.join(takes ? domain_.monitor(*entry.lock, contexts_[production.context].phase, returned, left) : left,
                      right, same_phase ? OwnUses::OfBoth : OwnUses::OfRight);
}

Observations FamilyEngine::seen(const Production& production, const Observation& below) {
  const Context& context = contexts_[production.context];
  switch (production.step) {
    case Step::Thread: return {below};
    case Step::Cut: return algebra_.cut(context.head, held_.lock_set(context.held), context.phase, below);
    case Step::Base: return algebra_.unary({NodeKind::Base, *production.rule}, context.phase, below);
    default: {  // Enter
      const NodeLabel label{entry_of(production).lock ? NodeKind::Acq : NodeKind::NCall, *production.rule,
                            reentrant(production) ? Reentrance::Yes : Reentrance::No};
      return algebra_.unary(label, context.phase, below);
    }
  }
}

Observations FamilyEngine::seen(const Production& production, CellId left, CellId right) {
  const PhaseIndex phase = contexts_[production.context].phase;
  const Observation& first = cells_[left].observation;
  const Observation& second = cells_[right].observation;
  if (production.step == Step::Spawn) return algebra_.spawn(*production.rule, phase, first, second);
  const NodeLabel label{entry_of(production).lock ? NodeKind::Use : NodeKind::RCall, *production.rule,
                        reentrant(production) ? Reentrance::Yes : Reentrance::No};
  return algebra_.returned(label, phase, cells_[left].outcome.phase(), first, second);
}

}  // namespace lockwood::solver
