#include "solver/reduction/reduction.hpp"

#include <algorithm>
#include <cassert>
#include <tuple>

#include "solver/reduction/weight.hpp"

namespace lockwood::solver {

using dpn::Base;
using dpn::Head;
using dpn::Rule;
using dpn::RuleId;
using dpn::StackSymbol;

namespace {

IdVector<dpn::Action, bool> limited_actions(const dpn::Network& network, const Problem& problem) {
  IdVector<dpn::Action, bool> limited(network.actions().size());
  for (const Phase& phase : problem.phases)
    for (dpn::Action action : phase.avoiding) limited[action] = true;
  return limited;
}

}  // namespace

Reduction::Reduction(const dpn::Network& network, const BackwardFlow& flow, const Problem& problem,
                     const Reductions& reductions, std::uint64_t weight_of_thread, StopToken stop,
                     const LockFlags* respected)
    : original_{&network},
      reductions_{allowed_for(network, reductions)},
      relevance_{relevance(network, flow, problem, reductions_, respected)},
      spawn_weight_{2 * node_weight + weight_of_thread},
      several_phases_{problem.phases.size() > 1},
      limited_{limited_actions(network, problem)},
      inert_{network, spawn_weight_, limited_},
      numbers_{network},
      return_points_(network.stack_symbols().size()) {
  for (dpn::Action action : limited_.keys())
    if (limited_[action] && relevance_.ordinary[action]) limited_action_ = action;
  stop.check();
  request_procedure_summaries();
  draft_rules(stop);
  if (reductions_.chains) find_passages(stop);
  put_together(stop);
}

ReductionStatistics Reduction::statistics() const {
  return {.rules = original_->rules().size(),
          .rules_left = reduced_->rules().size(),
          .locks = original_->locks().size(),
          .locks_left = static_cast<std::size_t>(std::ranges::count(relevance_.locks, true))};
}

// --- Rules that are left, one by one ------------------------------------------------------------------------------

std::optional<dpn::Lock> Reduction::lock_of(const dpn::Entry& entry) const {
  return entry.lock && relevance_.locks[*entry.lock] ? entry.lock : std::nullopt;
}

// A call that a phase requires stays one, and an odd one cannot be put together with a body that may only be run in
// other phases.
//
// A region whose lock was left out because nothing in it matters must be one step when there are several phases,
// whether calls in general become steps or not: the lock stops nobody only if no thread is inside when a phase ends. As
// a call, the region could be entered in one phase and left in the next one, for no reason but that both trees are as
// heavy, and such a tree need not have a schedule with all locks (docs/theory.md, "Fewer locks").
bool Reduction::becomes_step(const Rule& rule, const dpn::Entry& entry) const {
  const bool must = reductions_.locks && entry.lock && several_phases_;
  return (reductions_.procedures || must) && !lock_of(entry) && relevance_.inert(entry.callee.top) &&
         (relevance_.ordinary[rule.action] || (!relevance_.required[rule.action] && !limited_action_));
}

void Reduction::request_procedure_summaries() {
  for (const Rule& rule : original_->rules())
    if (const auto entry = dpn::entry_of(rule); entry && becomes_step(rule, *entry) &&
                                                relevance_.wanted(rule.from.top) &&
                                                relevance_.wanted(entry->return_point))
      inert_.demand(entry->callee);
  inert_.compute();
}

// The rules of all places that can be reached, control states taken into account except in returns.
void Reduction::draft_rules(StopToken stop) {
  visit(original_->initial(), true);
  if (!reductions_.rules)
    for (const Rule& rule : original_->rules()) visit(rule.from, true);
  for (std::size_t i = 0; i < places_.size(); ++i) {
    stop.check();
    const HeadNumber number{i};
    const DraftId begin{drafts_.size()};
    const Head head = places_[number].head;
    if (relevance_.wanted(head.top))
      for (RuleId id : original_->rules_from(head)) translate(id);
    places_[number].begin = begin;
    places_[number].end = DraftId{drafts_.size()};
  }
}

Reduction::HeadNumber Reduction::visit(Head head, bool entered) {
  const auto [number, is_new] = numbers_.try_emplace(head, HeadNumber{places_.size()});
  if (is_new) places_.push_back({.head = head, .begin = DraftId{0}, .end = DraftId{0}, .pass = {}, .exit = number});
  HeadEntry& place = places_[number];
  assert(place.head == head);
  place.entered = place.entered || entered;
  return number;
}

void Reduction::visit_return_point(StackSymbol symbol) {
  if (return_points_[symbol]) return;
  return_points_[symbol] = true;
  for (RuleId id : original_->rules_at(symbol)) visit(original_->rule(id).from, true);
}

void Reduction::draft(RuleId origin, const Rule& rule, std::uint64_t weight, bool limited) {
  drafts_.push_back({rule, origin, {}, weight, limited, {}});
}

// A step in place of the rule. `entered`: it may not be possible to pass by the place to which it leads.
void Reduction::draft_step(RuleId origin, Head to, bool entered, std::uint64_t weight, bool limited,
                           std::optional<SummarizedReturn> body) {
  const Rule& rule = original_->rule(origin);
  drafts_.push_back({{rule.from, rule.action, Base{to}}, origin, body, weight, limited, visit(to, entered)});
}

void Reduction::translate(RuleId id) {
  const Rule& rule = original_->rule(id);
  const bool limited = limited_[rule.action];
  const bool required = relevance_.required[rule.action];
  const auto step = [&](Head to, std::uint64_t weight) {
    if (!required && !relevance_.wanted(to.top)) return;
    draft_step(id, to, !relevance_.ordinary[rule.action], weight, limited, {});
  };
  if (const auto* base = std::get_if<Base>(&rule.effect)) {
    step(base->to, node_weight);
  } else if (std::holds_alternative<dpn::Return>(rule.effect)) {
    if (required || relevance_.returning[rule.from.top]) draft(id, rule, node_weight, limited);
  } else if (const auto* spawn = std::get_if<dpn::Spawn>(&rule.effect)) {
    if (reductions_.spawns && !relevance_.active[spawn->child.top] && spawn->memberships.empty())
      return step(spawn->parent, spawn_weight_);
    visit(spawn->parent, true);
    visit(spawn->child, true);
    draft(id, rule, node_weight, limited);
  } else if (const auto entry = dpn::entry_of(rule)) {
    translate_entry(id, rule, *entry);
  } else if (const auto to = dpn::step_of(rule); required || relevance_.wanted(to->top)) {
    visit(*to, true);  // a join or forgetting
    draft(id, rule, node_weight, limited);
  }
}

void Reduction::translate_entry(RuleId id, const Rule& rule, const dpn::Entry& entry) {
  const bool after = relevance_.wanted(entry.return_point);
  if (becomes_step(rule, entry)) {
    if (!after) return;
    for (SummarizedReturn body : inert_.returns_of(entry.callee)) {
      draft_step(id, {inert_[body].to, entry.return_point}, false, sum_of_weights(node_weight, inert_[body].weight),
                 limited_[rule.action] || inert_[body].limited, body);
    }
    return;
  }
  if (!relevance_.required[rule.action] && !relevance_.active[entry.callee.top] && !after) return;
  visit(entry.callee, true);
  visit_return_point(entry.return_point);
  Rule kept = rule;
  if (entry.lock && !lock_of(entry))
    kept.effect = dpn::Call{entry.callee, entry.return_point, {entry.opening.begin(), entry.opening.end()}};
  draft(id, kept, node_weight, limited_[rule.action]);
}

// --- Steps one after the other ------------------------------------------------------------------------------------

// Nothing matters at the place, and there are only ordinary steps from it.
bool Reduction::passable(const HeadEntry& place) const {
  if (place.begin == place.end || relevance_.observed[place.head.top]) return false;
  for (DraftId id{place.begin}; id != place.end; id = DraftId{id.index() + 1})
    if (drafts_[id].rule.kind() != dpn::RuleKind::Base || !relevance_.ordinary[drafts_[id].rule.action]) return false;
  return true;
}

Reduction::Way Reduction::way_from(HeadNumber place) const {
  Way way{place, 0, false};
  [[maybe_unused]] std::size_t passed_by = 0;
  while (places_[way.to].pass) {
    assert(++passed_by <= places_.size());  // no place is passed by twice
    const HeadEntry& passed = places_[way.to];
    way = {passed.exit, sum_of_weights(way.weight, passed.weight), way.limited || passed.limited};
  }
  return way;
}

Reduction::Way Reduction::way_of(DraftId step) const {
  const Draft& draft = drafts_[step];
  assert(draft.to && draft.rule.kind() == dpn::RuleKind::Base);
  const Way way = way_from(*draft.to);
  return {way.to, sum_of_weights(way.weight, draft.weight), way.limited || draft.limited};
}

// Looks at places after those to which their steps lead, as far as there are no loops, by a depth-first search.
void Reduction::find_passages(StopToken stop) {
  enum class Mark : std::uint8_t { New, Open, Done };
  IdVector<HeadNumber, Mark> marks(places_.size(), Mark::New);
  struct Frame {
    HeadNumber place;
    DraftId next;
  };
  std::vector<Frame> path;
  const auto open = [&](HeadNumber place) {
    if (marks[place] != Mark::New) return;
    marks[place] = Mark::Done;
    if (passable(places_[place])) {
      marks[place] = Mark::Open;
      path.push_back({place, places_[place].begin});
    }
  };
  for (HeadNumber start : places_.keys()) {
    stop.check();
    open(start);
    while (!path.empty()) {
      Frame& frame = path.back();
      if (frame.next == places_[frame.place].end) {
        const HeadNumber place = frame.place;
        path.pop_back();
        marks[place] = Mark::Done;
        pass_by(place);
      } else {
        const DraftId step = frame.next;
        frame.next = DraftId{step.index() + 1};
        open(*drafts_[step].to);
      }
    }
  }
}

// The place is passed by if all ways from it lead to one other place, and one of them is as good as all others.
void Reduction::pass_by(HeadNumber number) {
  HeadEntry& place = places_[number];
  assert(passable(place) && !place.pass);
  std::optional<DraftId> best;
  std::optional<Way> best_way;
  bool unlimited = false;  // there is an unlimited way
  for (DraftId id{place.begin}; id != place.end; id = DraftId{id.index() + 1}) {
    const Way way = way_of(id);
    if (way.to == number) continue;
    if (best_way && best_way->to != way.to) return;
    unlimited = unlimited || !way.limited;
    if (!best_way || std::tie(way.weight, way.limited) < std::tie(best_way->weight, best_way->limited)) {
      best = id;
      best_way = way;
    }
  }
  if (!best || (best_way->limited && unlimited)) return;
  place.pass = best;
  place.exit = best_way->to;
  place.weight = best_way->weight;
  place.limited = best_way->limited;
}

// The rules of the places that are not passed by, or entered otherwise; steps lead to the ends of their ways.
void Reduction::put_together(StopToken stop) {
  IdVector<RuleId, Rule> rules;
  const auto add = [&](const Rule& rule, DraftId draft, std::uint64_t weight) {
    assert(weight >= node_weight && rule.from == drafts_[draft].rule.from);
    rules.push_back(rule);
    draft_of_.push_back(draft);
    weights_.push_back(weight);
  };
  struct Step {
    std::optional<dpn::Action> odd;  // the action, if it matters
    Way way;
    DraftId draft;
  };
  std::vector<Step> steps;  // of a place
  for (const HeadEntry& place : places_) {
    stop.check();
    if (place.pass && !place.entered) continue;
    steps.clear();
    for (DraftId id{place.begin}; id != place.end; id = DraftId{id.index() + 1}) {
      const Draft& draft = drafts_[id];
      if (draft.rule.kind() != dpn::RuleKind::Base) {
        add(draft.rule, id, draft.weight);
      } else if (relevance_.ordinary[draft.rule.action]) {
        const Way way = way_of(id);
        if (places_[way.to].head != place.head) steps.push_back({{}, way, id});
      } else {
        // What follows moves to the phase of the odd step, unless it is not allowed there. After a required step it may
        // be best to stand.
        const HeadNumber next = *draft.to;
        const bool stays = relevance_.required[draft.rule.action] || way_from(next).limited;
        steps.push_back({draft.rule.action, stays ? Way{next, draft.weight, draft.limited} : way_of(id), id});
      }
    }
    std::ranges::stable_sort(steps, {}, [](const Step& step) {
      return std::tuple{step.odd, step.way.to, step.way.weight, step.way.limited};
    });
    for (std::size_t i = 0; i < steps.size();) {  // of a kind, the lightest and the lightest without limits
      const Step first = steps[i];
      bool any = false;
      bool unlimited = false;
      for (; i < steps.size() && steps[i].odd == first.odd && steps[i].way.to == first.way.to; ++i) {
        const Way& way = steps[i].way;
        if (way.limited ? any : unlimited) continue;
        any = true;
        unlimited = unlimited || !way.limited;
        const dpn::Action action = drafts_[steps[i].draft].rule.action;
        assert(!way.limited || limited_[action] || limited_action_);
        add({place.head, way.limited && !limited_[action] ? *limited_action_ : action, Base{places_[way.to].head}},
            steps[i].draft, way.weight);
      }
    }
  }
  reduced_ = original_->with_rules(std::move(rules));
  assert(weights_.size() == reduced_->rules().size() && draft_of_.size() == weights_.size());
}

}  // namespace lockwood::solver
