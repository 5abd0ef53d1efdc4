#include "solver/engine/domains/explicit_locks.hpp"

#include <algorithm>

#include "solver/engine/goals_reachable_outside.hpp"
#include "solver/reduction/reduction.hpp"

namespace lockwood::solver {

ExplicitLocks::ExplicitLocks(const ExecutionGrammar& grammar, LockDomain& locks, ObservationAlgebra& algebra,
                             Agenda& candidates, const EngineOptions& options, bool collecting)
    : grammar_{grammar},
      locks_{locks},
      algebra_{algebra},
      agenda_{candidates},
      options_{options},
      collecting_{collecting},
      division_{options.jobs, options.large_frontier} {
  if (options.drop_unsatisfiable) goals_reachable_outside_ = goals_reachable_outside(grammar.network(), algebra);
}

std::uint64_t ExplicitLocks::weight(dpn::RuleId rule) const {
  return options_.reduction == nullptr ? node_weight : options_.reduction->weight(rule);
}

// --- candidates -----------------------------------------------------------------------------------------------------

void ExplicitLocks::derive_leaf(const Node& node, Outcome outcome) {
  const Context& context = grammar_[node.context];
  const Observations observations = node.step == Derivation::Step::Stand
                                        ? algebra_.stand(context.head, grammar_.held_locks(node.context))
                                        : algebra_.ret(*node.rule, context.phase);
  derive_candidate(node, outcome, observations, LockDomain::empty, node_weight, {}, {}, derived_);
  count(derived_);
  add_candidates(derived_, 0, derived_.candidates.size());
  derived_.clear();
}

void ExplicitLocks::derive_candidate(const Node& node, Outcome outcome, const Observations& observations,
                                     std::optional<StructureId> locks, std::uint64_t weight, std::optional<FactId> left,
                                     std::optional<FactId> right, Derived& derived) const {
  if (!locks) return;
  for (const Observation& observation : observations) {
    const Fact candidate{node.context, outcome, observation, *locks, weight, {node.step, node.rule, left, right}};
    ++derived.count;
    if (!unsatisfiable(node.context, observation) && !answered(observation) && !subsumed(candidate))
      derived.candidates.push_back(candidate);
  }
}

// The tree lacks a goal that nothing outside of it can meet.
bool ExplicitLocks::unsatisfiable(ContextId context, const Observation& observation) const {
  return goals_reachable_outside_ &&
         (observation.goals | (*goals_reachable_outside_)[grammar_[context].head.top]) != algebra_.all_goals();
}

bool ExplicitLocks::subsumed(const Fact& candidate, FactId by_those_from) const {
  const std::vector<Slot>& slots = slots_[candidate.context];
  const auto slot = std::ranges::find(slots, candidate.outcome, &Slot::outcome);
  if (slot == slots.end()) return false;
  const auto first = by_those_from == FactId{0}
                         ? slot->facts.begin()
                         : std::ranges::lower_bound(slot->facts, by_those_from, {}, &Known::fact);
  return std::any_of(first, slot->facts.end(), [&](const Known& known) { return covers(known, candidate); });
}

// --- facts ----------------------------------------------------------------------------------------------------------

void ExplicitLocks::announce(std::vector<Fact>& batch, std::vector<Announcement<FactId>>& announcements) {
  divided_ = division_.pays(batch.size()) && algebra_.unchanging();
  if (divided_) drop_subsumed(batch);
  const FactId first_new{divided_ ? facts_.size() : 0};
  for (const Fact& fact : batch) {
    if (over()) return;
    assert(fact.weight == batch.front().weight);
    if (!answered(fact.observation) && !subsumed(fact, first_new)) add_fact(fact, announcements);
  }
  report_progress();
}

void ExplicitLocks::add_fact(const Fact& fact, std::vector<Announcement<FactId>>& announcements) {
  const FactId id = facts_.push_back(fact);
  std::vector<Slot>& slots = slots_[fact.context];
  auto slot = std::ranges::find(slots, fact.outcome, &Slot::outcome);
  const bool first = slot == slots.end();
  if (first) slot = slots.insert(slot, Slot{fact.outcome, {}});
  if (options_.objective == Objective::Any)
    std::erase_if(slot->facts, [&](const Known& other) { return covers(fact, other); });
  slot->facts.push_back({fact.observation, fact.locks, id});
  if (slot->facts.size() > options_.width_limit) {
    const auto same = [&](const Known& other) { return other.observation == fact.observation; };
    too_wide_ = static_cast<std::size_t>(std::ranges::count_if(slot->facts, same)) > options_.width_limit;
  }
  if (fact.context == ExecutionGrammar::root() && algebra_.accepting(fact.observation)) {
    answers_.push_back(id);
    answer_of_.emplace(fact.observation.collected, id);
    if (!options_.exhaustive) return;
  }
  announcements.push_back({id, first, 0});
}

// Nothing changes meanwhile. What is subsumed stays so, and what is not need only be compared with the facts that have
// come since.
void ExplicitLocks::drop_subsumed(std::vector<Fact>& candidates) {
  subsumed_flags_.assign(candidates.size(), 0);
  division_.divide(candidates.size(), division_.chunk_size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) subsumed_flags_[i] = subsumed(candidates[i]) ? 1 : 0;
  });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < candidates.size(); ++i)
    if (subsumed_flags_[i] == 0) candidates[kept++] = candidates[i];
  candidates.erase(candidates.begin() + static_cast<std::ptrdiff_t>(kept), candidates.end());
}

bool ExplicitLocks::superfluous(const Announcement<FactId>& announcement) const {
  if (announcement.first_of_its_outcome) return false;
  const Fact& fact = facts_[announcement.item];
  const std::vector<Slot>& slots = slots_[fact.context];
  const auto slot = std::ranges::find(slots, fact.outcome, &Slot::outcome);
  assert(slot != slots.end());
  return !std::ranges::binary_search(slot->facts, announcement.item, {}, &Known::fact);
}

std::size_t ExplicitLocks::widest_antichain() const {
  std::size_t widest = 0;
  for (const std::vector<Slot>& slots : slots_)
    for (const Slot& slot : slots) widest = std::max(widest, slot.facts.size());
  return widest;
}

std::vector<FactId> ExplicitLocks::essential_facts(ContextId context) const {
  std::vector<FactId> essential;
  for (const Slot& slot : slots_[context])
    for (const Known& known : slot.facts)
      if (std::ranges::none_of(slot.facts,
                               [&](const Known& other) { return other.fact != known.fact && covers(other, known); }))
        essential.push_back(known.fact);
  return essential;
}

}  // namespace lockwood::solver
