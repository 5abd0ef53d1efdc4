#include "solver/analyses/explain.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <set>

#include "dpn/trees/obstacle.hpp"
#include "solver/analyses/hitting_set.hpp"
#include "solver/engine/engine.hpp"

namespace lockwood::solver {
namespace {

using Kept = IdVector<Lock, bool>;

constexpr std::uint64_t example_limit = 100'000;  // nodes of an execution that is looked at

// Whether the problem is unreachable when only some locks exclude.
class Trial {
 public:
  Trial(const dpn::Network& network, const Problem& problem, StopToken stop)
      : network_{network}, problem_{problem}, stop_{stop} {}

  [[nodiscard]] bool unreachable(const Kept& kept) const {
    const Answer answer =
        solve(network_, problem_, {.witness = WitnessChoice::None, .excluding = &kept, .stop = stop_});
    stop_.check();
    return answer.verdict == dpn::Verdict::Unreachable;
  }

  // Drops locks one by one, in the given order, as long as the problem stays unreachable. What is left is minimal: a
  // lock that could not be dropped then cannot be dropped later, because if fewer exclude there are more executions.
  void shrink(Kept& kept, const std::vector<Lock>& order) const {
    assert(unreachable(kept));
    for (Lock lock : order) {
      if (!kept[lock]) continue;
      kept[lock] = false;
      if (!unreachable(kept)) kept[lock] = true;
    }
  }

 private:
  const dpn::Network& network_;
  const Problem& problem_;
  StopToken stop_;
};

std::vector<Lock> members(const Kept& kept) {
  std::vector<Lock> locks;
  for (Lock lock : kept.keys())
    if (kept[lock]) locks.push_back(lock);
  return locks;
}

// The locks that every thread holds wherever it may meet a goal of the phase.
Kept always_held(const Engine& engine, const Phase& phase, std::size_t lock_count) {
  Kept always(lock_count, true);
  for (const Context& context : engine.contexts()) {
    if (context.whole_thread) continue;
    std::set<Lock> held;
    engine.domain().lock_set(context.held).for_each([&](Lock lock) { held.insert(lock); });
    const bool concerned = std::ranges::any_of(phase.standing, [&](const StandGoal& goal) {
      return problem::meets(engine.network(), context.head, held, goal);
    });
    if (!concerned) continue;
    for (Lock lock : always.keys())
      if (!held.contains(lock)) always[lock] = false;
  }
  return always;
}

// The union over the phases that have several goals.
Kept common_locks(const dpn::Network& network, const Problem& problem, StopToken stop) {
  Kept common(network.locks().size(), false);
  const Problem visits_all = unanswerable();
  Engine engine{network, visits_all, {.stop = stop}};
  (void)engine.run();
  stop.check();
  for (const Phase& phase : problem.phases) {
    if (phase.standing.size() < 2) continue;
    const Kept held = always_held(engine, phase, network.locks().size());
    for (Lock lock : common.keys())
      if (held[lock]) common[lock] = true;
  }
  return common;
}

bool reachable(const dpn::Network& network, const Problem& problem, StopToken stop) {
  const Answer answer = solve(network, problem, {.witness = WitnessChoice::None, .stop = stop});
  stop.check();
  return answer.verdict == dpn::Verdict::Reachable;
}

std::optional<GoalImpossible> impossible_goal(const dpn::Network& network, const Problem& problem, StopToken stop) {
  for (PhaseIndex i = 0; i < problem.phases.size(); ++i)
    for (std::size_t j = 0; j < problem.phases[i].standing.size(); ++j) {
      const Problem alone{.semantics = dpn::Semantics::LockInsensitive,
                          .phases = {Phase{.standing = {problem.phases[i].standing[j]}}}};
      if (!reachable(network, alone, stop)) return GoalImpossible{i, j};
    }
  return std::nullopt;
}

// The network in which only some of the joins wait: the others are steps.
dpn::Network with_waiting_joins(const dpn::Network& network, const std::set<dpn::RuleId>& waiting) {
  IdVector<dpn::RuleId, dpn::Rule> rules;
  std::set<dpn::Rule> different;
  for (dpn::RuleId id : network.rules().keys()) {
    dpn::Rule rule = network.rule(id);
    if (const auto* join = std::get_if<dpn::Join>(&rule.effect); join != nullptr && !waiting.contains(id))
      rule.effect = dpn::Base{dpn::Head{join->to}};
    if (different.insert(rule).second) rules.push_back(std::move(rule));
  }
  return network.with_rules(std::move(rules));
}

// Why the smallest execution that disregards locks cannot be scheduled when the kept ones exclude.
std::string example(const dpn::Network& network, const Problem& insensitive, const Kept& kept, StopToken stop) {
  const Answer answer = solve(network, insensitive, {.witness_limit = example_limit, .stop = stop});
  stop.check();
  if (answer.large_witness) return {};
  if (!answer.witness) throw BrokenAnswer{"what is reachable without locks has no witness"};
  const dpn::ExecutionTree& tree = answer.witness->tree;
  const auto obstacle = dpn::obstacle(network, tree, &kept);
  if (!obstacle) throw BrokenAnswer{"the locks that should hold threads apart do not"};
  return dpn::to_text(network, tree, *obstacle);
}

}  // namespace

// Joins are dropped one by one as long as the problem stays unreachable, as locks are. Most of them at once first.
std::optional<EndedByThen> ended_by_then(const dpn::Network& network, const Problem& problem, StopToken stop) {
  std::vector<dpn::RuleId> joins;
  for (dpn::RuleId rule : network.rules().keys())
    if (network.rule(rule).kind() == dpn::RuleKind::Join) joins.push_back(rule);
  if (joins.empty()) return std::nullopt;
  Problem insensitive = problem;
  insensitive.semantics = dpn::Semantics::LockInsensitive;
  std::set<dpn::RuleId> waiting(joins.begin(), joins.end());
  const auto unreachable = [&](const std::set<dpn::RuleId>& kept) {
    return !reachable(with_waiting_joins(network, kept), insensitive, stop);
  };
  if (!unreachable(waiting) || unreachable({})) return std::nullopt;
  for (std::size_t size = std::bit_ceil(joins.size()); size > 0; size /= 2)
    for (std::size_t begin = 0; begin < joins.size(); begin += size) {
      std::set<dpn::RuleId> fewer = waiting;
      for (std::size_t i = begin; i < std::min(begin + size, joins.size()); ++i) fewer.erase(joins[i]);
      if (fewer.size() < waiting.size() && unreachable(fewer)) waiting = std::move(fewer);
    }
  return EndedByThen{{waiting.begin(), waiting.end()}};
}

Reason explain(const dpn::Network& network, const Problem& problem, StopToken stop) {
  if (auto ended = ended_by_then(network, problem, stop)) return *std::move(ended);
  if (const auto impossible = impossible_goal(network, problem, stop)) return *impossible;
  Problem insensitive = problem;
  insensitive.semantics = dpn::Semantics::LockInsensitive;
  if (!reachable(network, insensitive, stop)) {
    Problem goals{.semantics = dpn::Semantics::LockInsensitive};
    for (const Phase& phase : problem.phases)
      goals.phases.push_back({.standing = phase.standing, .awaiting = phase.awaiting});
    return reachable(network, goals, stop) ? Reason{ConditionsUnmet{}} : Reason{NeverTogether{}};
  }

  // Common locks are tried last, so that they stay if they suffice: they are the simplest explanation.
  const Kept common = common_locks(network, problem, stop);
  std::vector<Lock> order(common.keys().begin(), common.keys().end());
  std::stable_partition(order.begin(), order.end(), [&](Lock lock) { return !common[lock]; });
  Kept kept(network.locks().size(), true);
  Trial{network, problem, stop}.shrink(kept, order);

  Excluded apart{.locks = members(kept), .common = {}, .example = example(network, insensitive, kept, stop)};
  std::ranges::copy_if(apart.locks, std::back_inserter(apart.common), [&](Lock lock) { return common[lock]; });
  return apart;
}

// Every removal must hit every set of locks that suffices for unreachability. Such sets are collected one at a time: a
// smallest set that hits those known either is the answer, or leaves locks that suffice, of which a minimal part is the
// next one.
std::optional<std::vector<Lock>> smallest_removal(const dpn::Network& network, const Problem& problem, StopToken stop) {
  const Trial trial{network, problem, stop};
  if (trial.unreachable(Kept(network.locks().size(), false))) return std::nullopt;
  const auto keys = network.locks().keys();
  std::vector<std::vector<std::size_t>> sufficient;
  while (true) {
    std::vector<Lock> removed;
    Kept kept(network.locks().size(), true);
    for (std::size_t index : smallest_hitting_set(sufficient)) {
      removed.emplace_back(index);
      kept[Lock{index}] = false;
    }
    if (!trial.unreachable(kept)) return removed;
    assert(removed.size() < network.locks().size());  // without any lock it is reachable, as was asked above
    trial.shrink(kept, {keys.begin(), keys.end()});
    std::vector<std::size_t> core;
    for (Lock lock : members(kept)) core.push_back(lock.index());
    assert(!core.empty() && std::ranges::none_of(core, [&](std::size_t lock) {
      return std::ranges::count(removed, Lock{lock}) > 0;
    }));  // the new set is not hit yet, so the search ends
    sufficient.push_back(std::move(core));
  }
}

}  // namespace lockwood::solver
