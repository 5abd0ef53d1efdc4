#include "frontend/findings/analyses/guards.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "dpn/model/only_locks.hpp"
#include "solver/analyses/deadlock.hpp"
#include "solver/analyses/solve.hpp"

namespace lockwood::findings {
namespace {

bool contains(const std::vector<dpn::Lock>& locks, dpn::Lock lock) { return std::ranges::binary_search(locks, lock); }

// The lock that most accesses hold always, the first of these; none if no two do.
std::optional<dpn::Lock> usual_lock(const VariableGuards& guards, std::size_t locks) {
  std::optional<dpn::Lock> usual;
  std::size_t most = 1;
  for (dpn::Lock lock : IdRange<dpn::Lock>{locks}) {
    const auto holding = std::ranges::count_if(
        guards.accesses, [&](const GuardedAccess& guarded) { return contains(guarded.held.always, lock); });
    if (static_cast<std::size_t>(holding) <= most) continue;
    most = static_cast<std::size_t>(holding);
    usual = lock;
  }
  return most * 2 >= guards.accesses.size() ? usual : std::nullopt;
}

void judge(VariableGuards& guards, std::size_t locks) {
  guards.protecting = guards.accesses.front().held.always;
  for (const GuardedAccess& guarded : guards.accesses)
    std::erase_if(guards.protecting, [&](dpn::Lock lock) { return !contains(guarded.held.always, lock); });
  if (!guards.protecting.empty()) return;
  guards.rule = usual_lock(guards, locks);
  if (!guards.rule) return;
  for (GuardedAccess& guarded : guards.accesses) guarded.breaks_rule = !contains(guarded.held.always, *guards.rule);
}

}  // namespace

std::vector<VariableGuards> variable_guards(const program::Program& program, const program::Lowered& lowered,
                                            const ConflictVerdicts& verdicts, StopToken stop) {
  const auto held = held_locks(lowered, stop);
  std::set<AccessId> racing;
  for (const Conflict& race : verdicts.racing) racing.insert({race.first, race.second});
  std::vector<VariableGuards> all;
  for (program::Variable variable : program.variables.keys()) {
    stop.check();
    VariableGuards guards{.variable = variable, .accesses = {}, .protecting = {}, .rule = {}};
    for (std::size_t i = 0; i < lowered.accesses.size(); ++i) {
      const program::Access& here = lowered.accesses[i];
      if (here.variable != variable || here.before.empty()) continue;
      guards.accesses.push_back(
          {.access = AccessId{i}, .held = held_at(held, here.before), .racing = racing.contains(AccessId{i})});
    }
    if (guards.accesses.empty()) continue;
    judge(guards, program.locks.size());
    all.push_back(std::move(guards));
  }
  return all;
}

LockAdvice::LockAdvice(const program::Program& program, const program::Lowered& lowered,
                       const ConflictVerdicts& verdicts, StopToken stop, Founded founded)
    : program_{program},
      lowered_{lowered},
      verdicts_{verdicts},
      stop_{stop},
      founded_{std::move(founded)},
      held_{held_locks(lowered, stop)} {}

void LockAdvice::tell(const dpn::Network& network, const solver::Problem& problem, dpn::Verdict verdict) const {
  if (founded_) founded_(network, problem, verdict);
}

LockAdvice::Rings LockAdvice::closing_rings(const dpn::Network& network) const {
  const solver::Deadlocks found =
      solver::find_deadlocks(network, {.solving = {.witness = solver::WitnessChoice::None, .stop = stop_}});
  stop_.check();
  Rings rings;
  for (const solver::LockRing& ring : found.rings) {
    if (ring.answer.verdict != dpn::Verdict::Unreachable) rings.insert(ring.locks);
    tell(network, solver::ring_problem(ring.locks), ring.answer.verdict);
  }
  return rings;
}

const LockAdvice::Rings& LockAdvice::rings() {
  if (!rings_) rings_ = closing_rings(lowered_.network);
  return *rings_;
}

// Or may stand so: that can be unknown.
bool LockAdvice::can_stand(const dpn::Network& network, const solver::Problem& ring) const {
  const solver::Answer answer = solver::solve(network, ring, {.witness = solver::WitnessChoice::None, .stop = stop_});
  stop_.check();
  tell(network, ring, answer.verdict);
  return answer.verdict != dpn::Verdict::Unreachable;
}

// A ring that did not close, or one that closes with a thread where none stood in such a ring by itself: with a lock
// more, threads can only stand in fewer places together.
bool LockAdvice::adds_deadlock(const dpn::Network& guarded) {
  const Rings closing = closing_rings(guarded);
  if (!std::ranges::includes(rings(), closing)) return true;
  if (closing.empty()) return false;
  if (!graph_) graph_ = solver::lock_graph(lowered_.network, stop_);
  const std::vector<solver::LockEdge> graph = solver::lock_graph(guarded, stop_);
  for (const std::vector<dpn::Lock>& ring : closing)
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const dpn::Lock wanted = ring[(i + 1) % ring.size()];
      std::vector<dpn::StackSymbol> fresh;
      std::ranges::set_difference(solver::places_of(graph, ring[i], wanted),
                                  solver::places_of(*graph_, ring[i], wanted), std::back_inserter(fresh));
      if (fresh.empty()) continue;
      std::vector<std::vector<dpn::StackSymbol>> places(ring.size());
      places[i] = std::move(fresh);
      if (can_stand(guarded, solver::ring_problem(ring, places))) return true;
    }
  return false;
}

std::vector<dpn::Lock> LockAdvice::idle_locks(
    const std::function<void(std::size_t number, std::size_t total)>& on_lock) {
  std::vector<dpn::Lock> found;
  const auto ignored = ignored_locks(lowered_);
  for (dpn::Lock lock : lowered_.network.locks().keys()) {
    if (on_lock) on_lock(lock.index() + 1, lowered_.network.locks().size());
    if (contains(ignored, lock)) continue;  // what it is good for, the model cannot say
    if (idle(lock)) found.push_back(lock);
  }
  return found;
}

bool LockAdvice::idle(dpn::Lock lock) {
  IdVector<dpn::Lock, bool> kept(lowered_.network.locks().size(), true);
  kept[lock] = false;
  const dpn::Network reduced = dpn::with_only_locks(lowered_.network, kept);
  // Without the lock there can only be more races, so those that are there need not be asked about again; nor those
  // that another lock excludes.
  std::vector<Conflict> asked;
  for (const Conflict& conflict : verdicts_.apart) {
    stop_.check();
    const auto common = common_locks(lowered_, held_, conflict);
    if (common.empty() || common == std::vector{lock}) asked.push_back(conflict);
  }
  for (const std::vector<Conflict>& group : by_group(lowered_, asked)) {
    const ConflictVerdicts without = decide(reduced, lowered_, group, dpn::Semantics::LockSensitive, stop_);
    stop_.check();
    if (without.racing.empty()) continue;
    tell(reduced, conflict_problem(lowered_, without.racing.front()), dpn::Verdict::Reachable);
    return false;
  }
  for (const Conflict& race : verdicts_.racing)
    tell(reduced, conflict_problem(lowered_, race), dpn::Verdict::Reachable);
  for (const Conflict& conflict : verdicts_.apart)
    if (!std::ranges::binary_search(verdicts_.by_text, conflict))
      tell(reduced, conflict_problem(lowered_, conflict), dpn::Verdict::Unreachable);
  return closing_rings(reduced) == rings();
}

std::vector<LockAddition> LockAdvice::candidates(const Conflict& race) const {
  const auto statement_of = [&](AccessId id) {
    return StatementId{access(lowered_, id).procedure, access(lowered_, id).statement};
  };
  std::vector<LockAddition> found;
  const auto consider = [&](AccessId at, AccessId other) {
    const HeldLocks there = held_at(held_, access(lowered_, other).before);
    for (const auto& locks : {there.always, there.sometimes})
      for (dpn::Lock lock : locks) found.push_back({statement_of(at), at, lock});
  };
  consider(race.first, race.second);
  if (statement_of(race.first) != statement_of(race.second)) {
    consider(race.second, race.first);
  } else {
    for (dpn::Lock lock : lowered_.network.locks().keys())
      found.push_back({statement_of(race.first), race.first, lock});
  }
  return found;
}

bool LockAdvice::excluded_by_text(const Conflict& race, const LockAddition& addition) const {
  const AccessId other = addition.at == race.first ? race.second : race.first;
  return contains(held_at(held_, access(lowered_, other).before).always, addition.lock);
}

std::optional<LockAddition> LockAdvice::addition(const Conflict& race) {
  std::optional<LockAddition> second_best;
  for (LockAddition& candidate : candidates(race)) {
    const GuardedStatement guarded = guarded_statement(program_, lowered_, candidate.statement, candidate.lock);
    solver::Problem problem = conflict_problem(lowered_, race);
    for (solver::StandGoal& goal : problem.phases.front().standing)
      for (dpn::StackSymbol& top : *goal.tops) top = guarded.inside[top];
    const solver::Answer answer =
        solver::solve(guarded.network, problem, {.witness = solver::WitnessChoice::None, .stop = stop_});
    stop_.check();
    tell(guarded.network, problem, answer.verdict);
    if (answer.verdict != dpn::Verdict::Unreachable && !excluded_by_text(race, candidate)) continue;
    candidate.adds_deadlock = adds_deadlock(guarded.network);
    if (!candidate.adds_deadlock) return candidate;
    if (!second_best) second_best = candidate;
  }
  return second_best;
}

}  // namespace lockwood::findings
