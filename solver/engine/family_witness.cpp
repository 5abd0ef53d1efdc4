// Witnesses of the engine of families. Nothing is written down about how a structure came about; it is found again from
// the news that cells passed on, from the root down. What a cell passed on at some time was made from what others
// passed on before. So for a tree within given bounds there is, by earlier news, a node with subtrees within bounds,
// and times only decrease: the search ends. Of a family that will do, halves are dropped until one structure is left.
#include <algorithm>
#include <iterator>

#include "solver/engine/family_engine.hpp"

namespace lockwood::solver {

using dpn::RuleId;
using dpn::TreeBuilder;
using Step = Derivation::Step;

namespace {

bool shows(const Observations& observations, const Observation& wanted) {
  return std::ranges::any_of(observations, [&](const Observation& seen) { return dominates(seen, wanted); });
}

}  // namespace

dpn::ExecutionTree FamilyEngine::witness(TreeRoom room) {
  const News& found = cells_[*answer_].history.back();
  const SetFamily first = narrowed(found.structures, [](const SetFamily&) { return true; });
  std::vector<Wanted> pending{{*answer_, found.time, first}};  // subtrees to append, the next one last
  TreeBuilder builder;
  while (!pending.empty()) {
    room.take();
    const Wanted wanted = std::move(pending.back());
    pending.pop_back();
    Choice choice = choice_for(wanted);
    append(builder, choice.production);
    while (!choice.children.empty()) {
      pending.push_back(std::move(choice.children.back()));
      choice.children.pop_back();
    }
  }
  return std::move(builder).build();
}

// One member of a family that suffices. Requires that it does, and that what suffices does so by some member.
template <class Test>
SetFamily FamilyEngine::narrowed(SetFamily family, Test suffices) const {
  const FamilyTable& table = domain_.table();
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

const std::vector<CellId>& FamilyEngine::cells_of(const Context& context) const {
  static const std::vector<CellId> none;
  const auto number = contexts_.find(context);
  return number ? traffic_[*number].cells : none;
}

FamilyEngine::Choice FamilyEngine::choice_for(const Wanted& wanted) {
  const ContextId id = cells_[wanted.cell].context;
  const Context context = contexts_[id];
  const LockSet& held = held_.lock_set(context.held);
  std::optional<Choice> choice;
  if (context.whole_thread) {
    choice = above_one(wanted, {Step::Thread, id, {}}, {context.head, context.held, context.phase, false});
  } else {
    if (context.phase == last_) {
      if (!cells_[wanted.cell].outcome.has_returned())
        choice = leaf(wanted, {Step::Stand, id, {}}, algebra_.stand(context.head, held));
    } else {
      choice = above_one(wanted, {Step::Cut, id, {}}, {context.head, context.held, context.phase + 1, false});
    }
    for (RuleId rule : network_.rules_from(context.head))
      if (!choice && is_allowed(rule, context.phase)) choice = choice_by(wanted, rule);
  }
  if (!choice) throw std::logic_error{"a family has a structure that was never derived"};
  return *std::move(choice);
}

std::optional<FamilyEngine::Choice> FamilyEngine::choice_by(const Wanted& wanted, RuleId rule) {
  const ContextId id = cells_[wanted.cell].context;
  const Context context = contexts_[id];
  const Outcome outcome = cells_[wanted.cell].outcome;
  const dpn::Effect& effect = network_.rule(rule).effect;
  if (const auto* base = std::get_if<dpn::Base>(&effect))
    return above_one(wanted, {Step::Base, id, rule}, {base->to, context.held, context.phase, false});
  if (const auto* ret = std::get_if<dpn::Return>(&effect)) {
    if (outcome != Outcome::returned(ret->to, context.phase)) return std::nullopt;
    return leaf(wanted, {Step::Return, id, rule}, algebra_.ret(rule, context.phase));
  }
  const auto first_pair = [&](Step step, const std::vector<CellId>& lefts, auto rights) -> std::optional<Choice> {
    for (CellId left : lefts)
      for (CellId right : rights(left))
        if (cells_[right].outcome == outcome)
          if (auto choice = above_two(wanted, {step, id, rule}, left, right)) return choice;
    return std::nullopt;
  };
  if (const auto* spawned = std::get_if<dpn::Spawn>(&effect))
    return first_pair(Step::Spawn, cells_of({spawned->child, LockDomain::no_locks, context.phase, true}), [&](CellId) {
      return cells_of({spawned->parent, context.held, context.phase, false});
    });

  const dpn::Entry entry = *dpn::entry_of(network_.rule(rule));
  const LockSetId held = entry.lock ? held_.with(context.held, *entry.lock) : context.held;
  const Context body{entry.callee, held, context.phase, false};
  if (!outcome.has_returned())
    if (auto choice = above_one(wanted, {Step::Enter, id, rule}, body)) return choice;
  return first_pair(Step::Complete, cells_of(body), [&](CellId left) {
    const Outcome returned = cells_[left].outcome;
    if (!returned.has_returned()) return std::vector<CellId>{};
    return cells_of(
        {{returned.control(), entry.return_point}, context.held, static_cast<std::uint32_t>(returned.phase()), false});
  });
}

std::optional<FamilyEngine::Choice> FamilyEngine::leaf(const Wanted& wanted, const Production& production,
                                                       const Observations& observations) const {
  if (!shows(observations, cells_[wanted.cell].observation)) return std::nullopt;
  return Choice{production, {}};
}

// Subtrees have no more parts than the tree, but for their own uses.
std::optional<FamilyEngine::Choice> FamilyEngine::above_one(const Wanted& wanted, const Production& production,
                                                            const Context& below) {
  const FamilyTable& table = domain_.table();
  const SetFamily bound = table.add(wanted.bound, domain_.all_own_uses());
  const auto suffices = [&](const SetFamily& family) {
    return !table.within(structures_of(production, family), wanted.bound).empty();
  };
  for (CellId cell : cells_of(below)) {
    if (production.step == Step::Enter && cells_[cell].outcome.has_returned()) continue;
    if (outcome_of(production, cell) != cells_[wanted.cell].outcome) continue;
    if (!shows(seen(production, cells_[cell].observation), cells_[wanted.cell].observation)) continue;
    for (const News& news : cells_[cell].history) {
      if (news.time >= wanted.time) break;
      const SetFamily possible = table.within(news.structures, bound);
      if (!possible.empty() && suffices(possible))
        return Choice{production, {{cell, news.time, narrowed(possible, suffices)}}};
    }
  }
  return std::nullopt;
}

std::optional<FamilyEngine::Choice> FamilyEngine::above_two(const Wanted& wanted, const Production& production,
                                                            CellId left, CellId right) {
  if (!shows(seen(production, left, right), cells_[wanted.cell].observation)) return std::nullopt;
  const FamilyTable& table = domain_.table();
  const SetFamily bound = table.add(wanted.bound, domain_.all_own_uses());
  const auto suffice = [&](const SetFamily& first, const SetFamily& second) {
    const SetFamily both = structures_of(production, cells_[left].outcome, cells_[right].outcome, first, second);
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
      return Choice{production, {{left, left_news.time, first}, {right, right_news.time, second}}};
    }
  }
  return std::nullopt;
}

void FamilyEngine::append(TreeBuilder& builder, const Production& production) const {
  const dpn::Head head = contexts_[production.context].head;
  switch (production.step) {
    case Step::Stand: builder.nil(head); break;
    case Step::Cut: builder.cut(head); break;
    case Step::Return: builder.ret(*production.rule); break;
    case Step::Base: builder.base(*production.rule); break;
    case Step::Spawn: builder.spawn(*production.rule); break;
    case Step::Thread: break;
    case Step::Enter:
    case Step::Complete: {
      const bool returns = production.step == Step::Complete;
      const auto reentrance = reentrant(production) ? dpn::Reentrance::Yes : dpn::Reentrance::No;
      if (entry_of(production).lock)
        returns ? builder.use(*production.rule, reentrance) : builder.acq(*production.rule, reentrance);
      else
        returns ? builder.rcall(*production.rule) : builder.ncall(*production.rule);
    }
  }
}

}  // namespace lockwood::solver
