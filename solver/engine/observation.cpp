#include "solver/engine/observation.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace lockwood::solver {

using dpn::Head;
using dpn::NodeKind;
using dpn::RuleId;
using dpn::StackSymbol;

namespace {

constexpr std::uint64_t one_collected(StackSymbol symbol) { return symbol.index() + 1; }
constexpr std::uint64_t lower_half(std::uint64_t collected) { return collected & 0xFFFFFFFFU; }
constexpr std::uint64_t upper_half(std::uint64_t collected) { return collected >> 32U; }
constexpr std::size_t number_collected(std::uint64_t collected) {
  return collected == 0 ? 0 : upper_half(collected) == 0 ? 1 : 2;
}

bool meets(const dpn::Network& network, Head head, const LockSet& held, const StandGoal& goal) {
  if (goal.tops && !std::ranges::count(*goal.tops, head.top)) return false;
  if (goal.holding && !held.contains(*goal.holding)) return false;
  if (goal.joining && std::ranges::none_of(network.rules_from(head), [&](RuleId rule) {
        return network.rule(rule).kind() == dpn::RuleKind::Join;
      }))
    return false;
  if (!goal.wanting) return true;
  return !held.contains(*goal.wanting) && std::ranges::any_of(network.rules_from(head), [&](RuleId rule) {
    const auto* monitor = std::get_if<dpn::Monitor>(&network.rule(rule).effect);
    return monitor != nullptr && monitor->lock == *goal.wanting;
  });
}

// A goal as it is compared: the order of its tops does not matter.
StandGoal in_order(StandGoal goal) {
  if (!goal.tops) return goal;
  std::ranges::sort(*goal.tops);
  goal.tops->erase(std::unique(goal.tops->begin(), goal.tops->end()), goal.tops->end());
  return goal;
}

bool equal(const StandGoal& a, const StandGoal& b) {
  return a.tops == b.tops && a.holding == b.holding && a.wanting == b.wanting && a.joining == b.joining;
}

struct GoalClass {
  StandGoal goal;
  std::size_t number;  // of goals equal to it
};

// In the order in which they are first met; each by itself if they are told apart, so that goals keep their numbers.
std::vector<GoalClass> classes_of(const std::vector<StandGoal>& goals, EqualGoals equal_goals) {
  std::vector<GoalClass> classes;
  for (const StandGoal& goal : goals) {
    StandGoal ordered = in_order(goal);
    const auto same = equal_goals == EqualGoals::Distinguished
                          ? classes.end()
                          : std::ranges::find_if(classes, [&](const GoalClass& c) { return equal(c.goal, ordered); });
    if (same == classes.end())
      classes.push_back({std::move(ordered), 1});
    else
      ++same->number;
  }
  return classes;
}

}  // namespace

std::vector<StackSymbol> collected_symbols(const Observation& observation) {
  std::vector<StackSymbol> symbols;
  for (const std::uint64_t half : {upper_half(observation.collected), lower_half(observation.collected)})
    if (half != 0) symbols.emplace_back(half - 1);
  return symbols;
}

ObservationAlgebra::ObservationAlgebra(const dpn::Network& network, const Problem& problem,
                                       const dpn::Network& original, std::optional<PhaseIndex> distinguished,
                                       EqualGoals equal_goals)
    : network_{network},
      original_{original},
      last_{problem.phases.size() - 1},
      distinguished_{distinguished},
      special_(problem.phases.size()),
      plain_(problem.phases.size()),
      fired_(problem.phases.size()),
      waits_{network, original, problem.phases.back().awaiting} {
  // Who waits is known by its number.
  if (waits_.active()) equal_goals = EqualGoals::Distinguished;
  std::size_t bits = 0;
  const auto next_bit = [&] {
    if (bits == 64) throw TooManyGoals{};
    const std::uint64_t bit = std::uint64_t{1} << bits++;
    all_goals_ |= bit;
    return bit;
  };
  for (PhaseIndex i = 0; i < problem.phases.size(); ++i) {
    const Phase& phase = problem.phases[i];
    assert(i == last_ || phase.awaiting.empty());
    if (i == last_) first_goal_of_last_ = bits;
    plain_[i] = IdVector<StackSymbol, std::uint64_t>(network.stack_symbols().size(), 0);
    for (const auto& [goal, number] : classes_of(phase.standing, equal_goals)) {
      const std::uint64_t bit = next_bit();
      std::uint64_t members = bit;
      for (std::size_t more = 1; more < number; ++more) members |= next_bit();
      if (number > 1) classes_.push_back(members);
      if (goal.tops && !goal.holding && !goal.wanting && !goal.joining) {
        for (StackSymbol top : *goal.tops) plain_[i][top] |= bit;
      } else {
        special_[i].emplace_back(goal, bit);
      }
    }
    fired_[i] = IdVector<dpn::Action, std::uint64_t>(network.actions().size(), 0);
    for (const auto& actions : phase.fired) {
      const std::uint64_t bit = next_bit();
      for (dpn::Action action : actions) fired_[i][action] |= bit;
    }
    for (const auto& observer : phase.observers) observers_.push_back({i, observer.get()});
  }
  if (problem.collect) {
    collects_ = problem.collect->among.size();
    collectable_ = IdVector<StackSymbol, std::uint8_t>(network.stack_symbols().size(), 0);
    for (std::size_t i = 0; i < collects_; ++i)
      for (StackSymbol top : problem.collect->among[i])
        collectable_[top] = static_cast<std::uint8_t>(collectable_[top] | (1U << i));
  }
  (void)row_of(States(observers_.size(), 0));
}

std::uint64_t ObservationAlgebra::goals_at(StackSymbol top, PhaseIndex phase) const {
  std::uint64_t goals = plain_[phase][top];
  for (const auto& [goal, bit] : special_[phase])
    if (!goal.tops || std::ranges::count(*goal.tops, top) > 0) goals |= bit;
  return whole_classes(goals);
}

std::uint64_t ObservationAlgebra::whole_classes(std::uint64_t goals) const {
  for (const std::uint64_t members : classes_)
    if ((goals & members) != 0) goals |= members;
  assert((goals & ~all_goals_) == 0);
  return goals;
}

std::uint64_t ObservationAlgebra::joined(std::uint64_t a, std::uint64_t b) const {
  std::uint64_t goals = a | b;
  for (const std::uint64_t members : classes_) {
    const int met = std::popcount(a & members) + std::popcount(b & members);
    std::uint64_t rest = members;  // without its lowest `met` bits
    for (int bit = 0; bit < met && rest != 0; ++bit) rest &= rest - 1;
    goals = (goals & ~members) | (members & ~rest);
  }
  assert((goals & a) == a && (goals & b) == b);  // as both have the lowest bits of each class
  return goals;
}

std::uint64_t ObservationAlgebra::early_goals_at(StackSymbol top) const {
  std::uint64_t goals = 0;
  for (PhaseIndex i = 0; i < last_; ++i) goals |= goals_at(top, i);
  return goals;
}

std::uint64_t ObservationAlgebra::goals_of(RuleId rule) const {
  std::uint64_t goals = 0;
  for (PhaseIndex i = 0; i <= last_; ++i) goals |= fired(rule, i);
  return goals;
}

std::uint64_t ObservationAlgebra::fired(RuleId rule, PhaseIndex phase) const {
  return fired_[phase][network_.rule(rule).action];
}

std::uint64_t ObservationAlgebra::told(RuleId rule, PhaseIndex phase) const {
  if (distinguished_ != phase || fired(rule, phase) == 0) return 0;
  return network_.rule(rule).action.index() + 1;
}

std::optional<dpn::Action> ObservationAlgebra::told(const Observation& observation) const {
  const std::uint64_t action = distinguished_ ? lower_half(observation.collected) : 0;
  return action == 0 ? std::nullopt : std::optional{dpn::Action{action - 1}};
}

std::uint32_t ObservationAlgebra::row_of(const States& states) {
  std::string key(reinterpret_cast<const char*>(states.data()), states.size() * sizeof(Observer::State));
  assert(states.size() == observers_.size());  // a row has a state of each observer
  const auto [at, inserted] = row_numbers_.try_emplace(std::move(key), static_cast<std::uint32_t>(states_.size()));
  if (inserted) states_.push_back(states);
  return at->second;
}

template <class Targets>
boost::container::small_vector<std::uint32_t, 4> ObservationAlgebra::rows(const Targets& targets_of) {
  if (observers_.empty()) return {0};
  std::vector<States> combinations{States{}};
  for (std::size_t i = 0; i < observers_.size(); ++i) {
    const States targets = targets_of(observers_[i], i);
    std::vector<States> longer;
    for (const States& combination : combinations)
      for (Observer::State target : targets) {
        longer.push_back(combination);
        longer.back().push_back(target);
      }
    combinations = std::move(longer);
  }
  boost::container::small_vector<std::uint32_t, 4> result;
  for (const States& combination : combinations) result.push_back(row_of(combination));
  return result;
}

std::optional<std::uint64_t> ObservationAlgebra::collected(std::uint64_t a, std::uint64_t b) const {
  if (a == 0 || b == 0) return a | b;
  if (distinguished_) {
    assert(upper_half(a) == 0 || upper_half(a) <= network_.stack_symbols().size());
    const bool two_actions = lower_half(a) != 0 && lower_half(b) != 0 && lower_half(a) != lower_half(b);
    const bool two_threads = upper_half(a) != 0 && upper_half(b) != 0;
    return two_actions || two_threads ? std::nullopt : std::optional{a | b};
  }
  if (number_collected(a) + number_collected(b) > collects_) return std::nullopt;
  assert(number_collected(a) == 1 && number_collected(b) == 1);  // two are as many as there can be
  const std::uint8_t sets_a = collectable_[StackSymbol{a - 1}];
  const std::uint8_t sets_b = collectable_[StackSymbol{b - 1}];
  const bool fits = ((sets_a & 1U) != 0 && (sets_b & 2U) != 0) || ((sets_a & 2U) != 0 && (sets_b & 1U) != 0);
  if (!fits) return std::nullopt;
  return (std::min(a, b) << 32U) | std::max(a, b);
}

// A thread meets at most one goal of a phase. If it can meet one, meeting none is dominated, so it is left out.
Observations ObservationAlgebra::with_standing(Head head, const LockSet& held, PhaseIndex phase,
                                               const Observations& below) {
  std::uint64_t goals = plain_[phase][head.top];
  for (const auto& [goal, bit] : special_[phase])
    if (meets(original_, head, held, goal)) goals |= bit;
  Observations result;
  for (const Observation& observation : below) {
    if (phase == last_ && waits_.active()) {
      for (const Observation& with : with_waits(head, goals, observation)) result.push_back(with);
      continue;
    }
    if (goals == 0) result.push_back(observation);
    for (std::uint64_t rest = goals; rest != 0; rest &= rest - 1) {
      Observation with = observation;
      with.goals = joined(with.goals, rest & (~rest + 1));
      result.push_back(with);
    }
    if (phase == last_ && collects_ > 0 && collectable_[head.top] != 0) {
      Observation with = observation;
      with.collected = one_collected(head.top);
      result.push_back(with);
    }
  }
  return result;
}

// Meeting no goal is left out only if a goal can be met that is in no pair.
Observations ObservationAlgebra::with_waits(Head head, std::uint64_t goals, const Observation& below) {
  assert(collects_ == 0 && !distinguished_);
  Observations result;
  bool none = true;
  for (std::uint64_t rest = goals; rest != 0; rest &= rest - 1) {
    const std::size_t goal = static_cast<std::size_t>(std::countr_zero(rest)) - first_goal_of_last_;
    none = none && waits_.in_pair(goal);
    for (const WaitAlgebra::Row row : waits_.standing(head, goal)) {
      Observation with = below;
      with.goals |= rest & (~rest + 1);
      with.waits = row;
      result.push_back(with);
    }
  }
  for (const WaitAlgebra::Row row : waits_.standing(head, std::nullopt)) {
    if (!none && waits_.satisfied(row)) continue;
    Observation with = below;
    with.waits = row;
    result.push_back(with);
  }
  return result;
}

Observations ObservationAlgebra::stand(Head head, const LockSet& held) {
  const NodeLabel label{NodeKind::Nil, head};
  Observations below;
  for (std::uint32_t row : rows([&](const PlacedObserver&placed, std::size_t) -> States {
         return placed.phase == last_ ? placed.observer->targets(label, {}) : States{0};
       }))
    below.push_back({.states = row});
  return with_standing(head, held, last_, below);
}

Observations ObservationAlgebra::cut(Head head, const LockSet& held, PhaseIndex phase, const Observation& child) {
  const NodeLabel label{NodeKind::Nil, head};
  Observations below;
  for (std::uint32_t row : rows([&](const PlacedObserver&placed, std::size_t i) -> States {
         return placed.phase == phase ? placed.observer->targets(label, {}) : States{states_[child.states][i]};
       }))
    below.push_back({.goals = child.goals, .collected = child.collected, .states = row, .waits = child.waits});
  return with_standing(head, held, phase, below);
}

Observations ObservationAlgebra::ret(RuleId rule, PhaseIndex phase) {
  const NodeLabel label{NodeKind::Ret, rule};
  Observations result;
  for (std::uint32_t row : rows([&](const PlacedObserver&placed, std::size_t) -> States {
         return placed.phase >= phase ? placed.observer->targets(label, {}) : States{0};
       }))
    result.push_back({.goals = fired(rule, phase), .collected = told(rule, phase), .states = row});
  return result;
}

Observations ObservationAlgebra::unary(const NodeLabel& label, PhaseIndex phase, const Observation& child) {
  Observations result;
  const auto rule = std::get<RuleId>(label.what);
  const auto symbols = collected(child.collected, told(rule, phase));
  const auto waits = waits_.above(rule, child.waits);
  if (!symbols || !waits) return result;
  for (std::uint32_t row : rows([&](const PlacedObserver&placed, std::size_t i) -> States {
         const Observer::State below = states_[child.states][i];
         return placed.phase >= phase ? placed.observer->targets(label, {&below, 1}) : States{0};
       }))
    result.push_back(
        {.goals = child.goals | fired(rule, phase), .collected = *symbols, .states = row, .waits = *waits});
  return result;
}

Observations ObservationAlgebra::spawn(RuleId rule, PhaseIndex phase, const Observation& child,
                                       const Observation& parent) {
  return returned({NodeKind::Spawn, rule}, phase, phase, child, parent);
}

Observations ObservationAlgebra::returned(const NodeLabel& label, PhaseIndex phase, PhaseIndex returned,
                                          const Observation& body, const Observation& rest) {
  Observations result;
  const auto rule = std::get<RuleId>(label.what);
  auto symbols = collected(body.collected, rest.collected);
  if (symbols) symbols = collected(*symbols, told(rule, phase));
  const auto waits = waits_.above(rule, body.waits, rest.waits);
  if (!symbols || !waits) return result;
  NodeLabel open = label;  // as the phases before the return see the node
  if (label.kind == NodeKind::RCall) open.kind = NodeKind::NCall;
  if (label.kind == NodeKind::Use) open.kind = NodeKind::Acq;
  for (std::uint32_t row : rows([&](const PlacedObserver&placed, std::size_t i) -> States {
         const std::array below{states_[body.states][i], states_[rest.states][i]};
         if (placed.phase < phase) return {0};
         if (placed.phase < returned) return placed.observer->targets(open, std::span{below}.first(1));
         return placed.observer->targets(label, below);
       }))
    result.push_back({.goals = joined(body.goals, rest.goals) | fired(rule, phase),
                      .collected = *symbols,
                      .states = row,
                      .waits = *waits});
  return result;
}

std::vector<ObservationAlgebra::Seen> ObservationAlgebra::seen(const Observation& observation, PhaseIndex phase) const {
  std::vector<Seen> result;
  for (std::size_t i = 0; i < observers_.size(); ++i) {
    const bool concerned = observers_[i].phase >= phase;
    result.push_back(
        {observers_[i].observer, concerned ? std::optional{states_[observation.states][i]} : std::nullopt});
  }
  return result;
}

bool ObservationAlgebra::accepting(const Observation& observation) const {
  if (observation.goals != all_goals_ || number_collected(observation.collected) != collects_) return false;
  if (!waits_.satisfied(observation.waits)) return false;
  const States& states = states_[observation.states];
  for (std::size_t i = 0; i < observers_.size(); ++i)
    if (!observers_[i].observer->accepting(states[i])) return false;
  return true;
}

}  // namespace lockwood::solver
