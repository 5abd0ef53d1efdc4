// Witnesses of the symbolic engine. Nothing is written down about how a structure came about; it is found again from
// the news that cells announced, from the root down. What a cell announced at some time was made from what others
// announced before. So for a tree within given bounds there is, by earlier news, a node with subtrees within bounds,
// and times only decrease: the search ends. Of a family that will do, halves are dropped until one structure is left.
#include <algorithm>
#include <cassert>
#include <iterator>
#include <stdexcept>

#include "solver/engine/domains/symbolic_locks.hpp"
#include "solver/engine/witness.hpp"

namespace lockwood::solver {

using Shape = Production::Shape;
using Step = Derivation::Step;

namespace {

bool shows(const Observations& observations, const Observation& wanted) {
  return std::ranges::any_of(observations, [&](const Observation& seen) { return dominates(seen, wanted); });
}

}  // namespace

dpn::ExecutionTree SymbolicLocks::witness(ExecutionGrammar& grammar, NodeBudget room) {
  assert(answer_);
  const News& found = cells_[*answer_].history.back();
  const SetFamily first = narrowed(found.structures, [](const SetFamily&) { return true; });
  return derived_tree(grammar, Wanted{*answer_, found.time, first}, room,
                      [&](const Wanted& wanted) { return choice_for(wanted, grammar); });
}

// One member of a family that suffices. Requires that it does, and that what suffices does so by some member.
template <class Test>
SetFamily SymbolicLocks::narrowed(SetFamily family, Test suffices) const {
  const FamilyTable& table = structures_.table();
  const FamilyTable::Support support = table.support(family);
  ElementSet varying;
  std::ranges::set_difference(support.some, support.all, std::back_inserter(varying));
  for (Element element : varying) {
    SetFamily without = table.lacking(family, element);
    if (without == family || without.empty()) continue;
    family = suffices(without) ? std::move(without) : table.containing(family, element);
  }
  return family;
}

std::vector<CellId> SymbolicLocks::cells_of(const Context& context) const {
  const auto number = grammar_.find(context);
  return number ? of_context_[*number].cells : std::vector<CellId>{};
}

SymbolicLocks::Choice SymbolicLocks::choice_for(const Wanted& wanted, ExecutionGrammar& grammar) const {
  std::vector<Production> productions;
  grammar.productions_of(cells_[wanted.cell].context, productions);
  for (const Production& production : productions)
    if (auto choice = choice_by(wanted, production)) return *std::move(choice);
  throw std::logic_error{"a family has a structure that was never derived"};
}

std::optional<SymbolicLocks::Choice> SymbolicLocks::choice_by(const Wanted& wanted,
                                                              const Production& production) const {
  const auto& cell = cells_[wanted.cell];
  const auto& context = cell.context;
  const auto& outcome = cell.outcome;
  const Node node{production.step, context, production.rule};
  const auto first_pair = [&](const Node& above, auto rights) -> std::optional<Choice> {
    for (CellId left : cells_of(production.first))
      for (CellId right : rights(left))
        if (cells_[right].outcome == outcome)
          if (auto choice = above_two(wanted, above, left, right)) return choice;
    return std::nullopt;
  };
  switch (production.shape) {
    case Shape::Leaf:
      if (outcome != production.outcome || !shows(seen(node), cell.observation)) return std::nullopt;
      return Choice{node, {}};
    case Shape::Step: return above_one(wanted, node, production.first);
    case Shape::Spawn: return first_pair(node, [&](CellId) { return cells_of(production.second); });
    case Shape::Entry: break;
  }
  if (!outcome.has_returned())
    if (auto choice = above_one(wanted, node, production.first)) return choice;
  return first_pair({Step::Complete, context, production.rule}, [&](CellId left) {
    const Outcome returned = cells_[left].outcome;
    if (!returned.has_returned()) return std::vector<CellId>{};
    return cells_of(grammar_.rest_of(context, *production.rule, returned));
  });
}

// Subtrees have no more parts than the tree, but for their own uses and what concerns groups.
std::optional<SymbolicLocks::Choice> SymbolicLocks::above_one(const Wanted& wanted, const Node& node,
                                                              const Context& below) const {
  const FamilyTable& table = structures_.table();
  const SetFamily bound = table.add(wanted.bound, structures_.vanishing_parts());
  for (CellId cell : cells_of(below)) {
    const auto suffices = [&](const SetFamily& family) {
      return !table.within(structures_of(node, cell, family), wanted.bound).empty();
    };
    if (node.step == Step::Enter && cells_[cell].outcome.has_returned()) continue;
    if (outcome_above(node, cell) != cells_[wanted.cell].outcome) continue;
    if (shape_above(node, cell) != cells_[wanted.cell].shape) continue;
    if (!shows(seen(node, cells_[cell].observation), cells_[wanted.cell].observation)) continue;
    for (const News& news : cells_[cell].history) {
      if (news.time >= wanted.time) break;
      const SetFamily possible = table.within(news.structures, bound);
      if (!possible.empty() && suffices(possible))
        return Choice{node, {{cell, news.time, narrowed(possible, suffices)}}};
    }
  }
  return std::nullopt;
}

std::optional<SymbolicLocks::Choice> SymbolicLocks::above_two(const Wanted& wanted, const Node& node, CellId left,
                                                              CellId right) const {
  if (!shows(seen(node, left, right), cells_[wanted.cell].observation)) return std::nullopt;
  if (shape_above(node, left, right) != cells_[wanted.cell].shape) return std::nullopt;
  const FamilyTable& table = structures_.table();
  const SetFamily bound = table.add(wanted.bound, structures_.vanishing_parts());
  const auto suffice = [&](const SetFamily& first, const SetFamily& second) {
    const SetFamily both = structures_of(node, left, right, first, second);
    return !table.within(both, wanted.bound).empty();
  };
  for (const News& left_news : cells_[left].history) {
    if (left_news.time >= wanted.time) break;
    SetFamily first = table.within(left_news.structures, bound);
    if (first.empty()) continue;
    for (const News& right_news : cells_[right].history) {
      if (right_news.time >= wanted.time) break;
      SetFamily second = table.within(right_news.structures, bound);
      if (second.empty() || !suffice(first, second)) continue;
      first = narrowed(first, [&](const SetFamily& family) { return suffice(family, second); });
      second = narrowed(second, [&](const SetFamily& family) { return suffice(first, family); });
      return Choice{node, {{left, left_news.time, first}, {right, right_news.time, second}}};
    }
  }
  return std::nullopt;
}

}  // namespace lockwood::solver
