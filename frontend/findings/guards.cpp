#include "frontend/findings/guards.hpp"

#include <algorithm>
#include <set>

#include "dpn/only_locks.hpp"
#include "solver/deadlock.hpp"
#include "solver/solve.hpp"

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

std::set<std::vector<dpn::Lock>> closing_rings(const dpn::Network& network, StopToken stop) {
  const solver::Deadlocks found =
      solver::find_deadlocks(network, {.solving = {.witness = solver::WitnessChoice::None, .stop = stop}});
  stop.check();
  std::set<std::vector<dpn::Lock>> rings;
  for (const solver::LockRing& ring : found.rings)
    if (ring.answer.verdict != dpn::Verdict::Unreachable) rings.insert(ring.locks);
  return rings;
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

std::vector<dpn::Lock> idle_locks(const program::Lowered& lowered, const ConflictVerdicts& verdicts,
                                  const std::function<void(std::size_t number, std::size_t total)>& on_lock,
                                  StopToken stop) {
  std::vector<dpn::Lock> idle;
  const auto held = held_locks(lowered, stop);
  const auto ignored = ignored_locks(lowered);
  std::optional<std::set<std::vector<dpn::Lock>>> rings;
  for (dpn::Lock lock : lowered.network.locks().keys()) {
    if (on_lock) on_lock(lock.index() + 1, lowered.network.locks().size());
    if (contains(ignored, lock)) continue;  // what it is good for, the model cannot say
    IdVector<dpn::Lock, bool> kept(lowered.network.locks().size(), true);
    kept[lock] = false;
    const dpn::Network reduced = dpn::with_only_locks(lowered.network, kept);
    // Without the lock there can only be more races, so those that are there need not be asked about again; nor those
    // that another lock excludes.
    std::vector<Conflict> apart;
    for (const Conflict& conflict : verdicts.apart) {
      stop.check();
      const auto common = common_locks(lowered, held, conflict);
      if (common.empty() || common == std::vector{lock}) apart.push_back(conflict);
    }
    const ConflictVerdicts without = decide(reduced, lowered, apart, dpn::Semantics::LockSensitive, stop);
    stop.check();
    if (!without.racing.empty()) continue;
    if (!rings) rings = closing_rings(lowered.network, stop);
    if (closing_rings(reduced, stop) == *rings) idle.push_back(lock);
  }
  return idle;
}

std::optional<LockAddition> lock_addition(const program::Program& program, const program::Lowered& lowered,
                                          const Conflict& race, const IdVector<dpn::StackSymbol, HeldLocks>& held,
                                          StopToken stop) {
  const auto statement_of = [&](AccessId id) {
    return StatementId{access(lowered, id).procedure, access(lowered, id).statement};
  };
  const bool one_statement = statement_of(race.first) == statement_of(race.second);
  std::vector<LockAddition> candidates;
  const auto consider = [&](AccessId at, AccessId other) {
    const HeldLocks there = held_at(held, access(lowered, other).before);
    for (const auto& locks : {there.always, there.sometimes})
      for (dpn::Lock lock : locks) candidates.push_back({statement_of(at), at, lock});
  };
  consider(race.first, race.second);
  if (!one_statement) {
    consider(race.second, race.first);
  } else {
    for (dpn::Lock lock : lowered.network.locks().keys())
      candidates.push_back({statement_of(race.first), race.first, lock});
  }

  std::optional<std::set<std::vector<dpn::Lock>>> rings;
  std::optional<LockAddition> second_best;
  for (LockAddition& candidate : candidates) {
    const GuardedStatement guarded = guarded_statement(program, lowered, candidate.statement, candidate.lock);
    solver::Problem problem = conflict_problem(lowered, race);
    for (solver::StandGoal& goal : problem.phases.front().standing)
      for (dpn::StackSymbol& top : *goal.tops) top = guarded.inside[top];
    const solver::Answer answer =
        solver::solve(guarded.network, problem, {.witness = solver::WitnessChoice::None, .stop = stop});
    stop.check();
    if (answer.verdict != dpn::Verdict::Unreachable) continue;
    if (!rings) rings = closing_rings(lowered.network, stop);
    const auto after = closing_rings(guarded.network, stop);
    candidate.adds_deadlock = !std::ranges::includes(*rings, after);
    if (!candidate.adds_deadlock) return candidate;
    if (!second_best) second_best = candidate;
  }
  return second_best;
}

}  // namespace lockwood::findings
