#include "solver/engine/domains/symbolic_locks.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <span>

#include "solver/engine/goals_reachable_outside.hpp"

namespace lockwood::solver {

using Step = Derivation::Step;

SymbolicLocks::SymbolicLocks(const ExecutionGrammar& grammar, const SymbolicStructures& structures, LockDomain& shapes,
                             ObservationAlgebra& algebra, Agenda& queue, const EngineOptions& options)
    : grammar_{grammar}, structures_{structures}, shapes_{shapes}, algebra_{algebra}, queue_{queue}, options_{options} {
  if (options.drop_unsatisfiable) goals_reachable_outside_ = goals_reachable_outside(grammar.network(), algebra);
}

EngineStatistics SymbolicLocks::statistics() const {
  EngineStatistics statistics{.contexts = grammar_.size(), .facts = cells_.size(), .candidates = candidate_count_};
  constexpr std::size_t counted_after_stop = 10'000;
  const std::size_t counted = options_.stop.stop_requested() ? counted_after_stop : cells_.size();
  for (const Cell& cell : std::span{cells_.rows()}.first(std::min(counted, cells_.size()))) {
    const std::size_t size = structures_.table().size(cell.known);
    statistics.widest_antichain = std::max(statistics.widest_antichain, size);
    const std::size_t most = std::numeric_limits<std::size_t>::max();
    statistics.structures = size > most - statistics.structures ? most : statistics.structures + size;
  }
  return statistics;
}

// --- news of cells --------------------------------------------------------------------------------------------------

SetFamily SymbolicLocks::announced(CellId id) const {
  const Cell& cell = cells_[id];
  return structures_.table().subtract(cell.known, cell.pending);
}

void SymbolicLocks::announce(const std::vector<CellId>& batch, std::vector<Announcement<Item>>& announcements) {
  const FamilyTable& table = structures_.table();
  for (CellId id : batch) {
    Cell& cell = cells_[id];
    assert(cell.queued);
    const SetFamily news = table.intersect(cell.pending, cell.known);
    cell.pending = table.none();
    cell.queued = false;
    if (news.empty()) continue;
    cell.history.push_back({++time_, news});
    if (cell.context == ExecutionGrammar::root() && algebra_.accepting(cell.observation)) {
      answer_ = id;
      return;
    }
    std::vector<Outcome>& outcomes = of_context_[cell.context].announced;
    const bool first = !std::ranges::count(outcomes, cell.outcome);
    if (first) outcomes.push_back(cell.outcome);
    announcements.push_back({{id, news}, first, 0});
  }
}

CellId SymbolicLocks::cell_for(ContextId context, Outcome outcome, const Observation& observation, StructureId shape) {
  for (CellId cell : of_context_[context].cells)
    if (cells_[cell].outcome == outcome && cells_[cell].observation == observation && cells_[cell].shape == shape)
      return cell;
  const SetFamily none = structures_.table().none();
  const CellId created = cells_.push_back({context, outcome, observation, shape, none, none, {}});
  of_context_[context].cells.push_back(created);
  return created;
}

// The structures that are new become known, and superfluous ones of other cells are forgotten.
void SymbolicLocks::derive_candidates(ContextId context, Outcome outcome, const Observation& observation,
                                      StructureId shape, SetFamily structures) {
  if (goals_reachable_outside_ &&
      (observation.goals | (*goals_reachable_outside_)[grammar_[context].head.top]) != algebra_.all_goals())
    return;
  const FamilyTable& table = structures_.table();
  ++candidate_count_;
  for (CellId other : of_context_[context].cells)
    if (cells_[other].outcome == outcome && cells_[other].shape == shape &&
        dominates(cells_[other].observation, observation))
      structures = table.without_supersets(structures, cells_[other].known);
  if (structures.empty()) return;
  const CellId id = cell_for(context, outcome, observation, shape);
  Cell& cell = cells_[id];
  cell.known = table.minimal(table.unite(cell.known, structures));
  cell.pending = table.unite(cell.pending, structures);
  for (CellId other : of_context_[context].cells)
    if (other != id && cells_[other].outcome == outcome && cells_[other].shape == shape &&
        dominates(observation, cells_[other].observation))
      cells_[other].known = table.without_supersets(cells_[other].known, structures);
  if (!cell.queued) queue_.add(id);
  cell.queued = true;
}

// --- a node above subtrees: docs/theory.md, Sect. 4 -----------------------------------------------------------------

void SymbolicLocks::derive_leaf(const Node& node, Outcome outcome) {
  for (const Observation& observation : seen(node))
    derive_candidates(node.context, outcome, observation, LockDomain::empty, structures_.empty_structure());
}

void SymbolicLocks::derive(const Node& node, const Item& below) {
  const SetFamily result = structures_of(node, below.cell, below.structures);
  const Outcome outcome = outcome_above(node, below.cell);
  const StructureId shape = shape_above(node, below.cell);
  for (const Observation& observation : seen(node, cells_[below.cell].observation))
    derive_candidates(node.context, outcome, observation, shape, result);
}

void SymbolicLocks::derive(const Node& node, const Item& left, const Item& right) {
  if (left.structures.empty() || right.structures.empty()) return;
  const Observations observations = seen(node, left.cell, right.cell);
  if (observations.empty()) return;
  const auto shape = shape_above(node, left.cell, right.cell);
  if (!shape) return;
  const Outcome outcome = cells_[right.cell].outcome;
  const SetFamily result = structures_of(node, left.cell, right.cell, left.structures, right.structures);
  for (const Observation& observation : observations)
    derive_candidates(node.context, outcome, observation, *shape, result);
}

// A thread seen from outside counts as standing, however it ends.
Outcome SymbolicLocks::outcome_above(const Node& node, CellId below) const {
  return node.step == Step::Thread ? Outcome::standing() : cells_[below].outcome;
}

StructureId SymbolicLocks::shape_above(const Node& node, CellId cell) const {
  const StructureId below = cells_[cell].shape;
  const dpn::Network& network = grammar_.network();
  switch (node.step) {
    case Step::Thread: return shapes_.as_thread(below, cells_[cell].outcome.returned_in());
    case Step::Join: return shapes_.join_groups(network, *node.rule, grammar_[node.context].phase, below);
    case Step::Forget: return shapes_.forget_groups(network, *node.rule, below);
    case Step::Enter: return grammar_.entering(node).opens ? shapes_.open_groups(network, *node.rule, below) : below;
    default: return below;
  }
}

StructureId SymbolicLocks::shape_before(const Node& node, CellId left) const {
  const StructureId shape = cells_[left].shape;
  const dpn::Network& network = grammar_.network();
  if (node.step == Step::Spawn) {
    if (!grammar_.forks(node)) return shape;
    const PhaseIndex phase = grammar_[node.context].phase;
    return shapes_.fork(network, *node.rule, phase, shape, cells_[left].outcome.returned_in());
  }
  assert(node.step == Step::Complete);
  return grammar_.entering(node).opens ? shapes_.open_groups(network, *node.rule, shape) : shape;
}

std::optional<StructureId> SymbolicLocks::shape_above(const Node& node, CellId left, CellId right) const {
  const auto returned = cells_[right].outcome.returned_in();
  return shapes_.join(shape_before(node, left), cells_[right].shape, OwnUses::OfRight, returned);
}

SetFamily SymbolicLocks::structures_of(const Node& node, CellId cell, const SetFamily& below) const {
  const auto changed = [&](const auto& rule) { return structures_.change_groups(below, rule.groups); };
  switch (node.step) {
    case Step::Thread: return structures_.as_thread(below);
    case Step::Join: return changed(std::get<dpn::Join>(grammar_.network().rule(*node.rule).effect));
    case Step::Forget: return changed(std::get<dpn::Forget>(grammar_.network().rule(*node.rule).effect));
    case Step::Enter: break;
    default: return below;
  }
  const auto [label, lock, opens] = grammar_.entering(node);
  const SetFamily body =
      opens ? structures_.open_groups(below, dpn::entry_of(grammar_.network().rule(*node.rule))->opening) : below;
  if (!lock) return body;
  return structures_.monitor(*lock, grammar_[node.context].phase, std::nullopt, body, groups(cells_[cell].shape));
}

SetFamily SymbolicLocks::structures_of(const Node& node, CellId left_cell, CellId right_cell, const SetFamily& left,
                                       const SetFamily& right) const {
  const dpn::Rule& rule = grammar_.network().rule(*node.rule);
  const PhaseIndex phase = grammar_[node.context].phase;
  const auto left_returned = cells_[left_cell].outcome.returned_in();
  const auto right_returned = cells_[right_cell].outcome.returned_in();
  const GroupStructure& before = groups(shape_before(node, left_cell));
  const GroupStructure& after = groups(cells_[right_cell].shape);
  SetFamily first = left;
  OwnUses own_uses = OwnUses::OfRight;
  if (node.step == Step::Spawn) {
    if (grammar_.forks(node))
      first = structures_.fork(left, left_returned, phase, std::get<dpn::Spawn>(rule.effect).memberships);
  } else {
    const auto [label, lock, opens] = grammar_.entering(node);
    if (opens) first = structures_.open_groups(first, dpn::entry_of(rule)->opening);
    if (lock) first = structures_.monitor(*lock, phase, left_returned, first, before);
    if (right_returned == left_returned) own_uses = OwnUses::OfBoth;
  }
  return structures_.join(first, before, right, after, own_uses, right_returned);
}

Observations SymbolicLocks::seen(const Node& leaf) const {
  const Context& context = grammar_[leaf.context];
  if (leaf.step == Step::Stand) return algebra_.stand(context.head, grammar_.held_locks(leaf.context));
  assert(leaf.step == Step::Return);
  return algebra_.ret(*leaf.rule, context.phase);
}

Observations SymbolicLocks::seen(const Node& node, const Observation& below) const {
  const Context& context = grammar_[node.context];
  switch (node.step) {
    case Step::Thread: return {below};
    case Step::Cut: return algebra_.cut(context.head, grammar_.held_locks(node.context), context.phase, below);
    default: return algebra_.unary(grammar_.label_of(node), context.phase, below);
  }
}

Observations SymbolicLocks::seen(const Node& node, CellId left, CellId right) const {
  const PhaseIndex phase = grammar_[node.context].phase;
  const Observation& first = cells_[left].observation;
  const Observation& second = cells_[right].observation;
  if (node.step == Step::Spawn) return algebra_.spawn(*node.rule, phase, first, second);
  return algebra_.returned(grammar_.label_of(node), phase, cells_[left].outcome.phase(), first, second);
}

}  // namespace lockwood::solver
