#include "frontend/findings/analyses/guards.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

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
      held_{held_locks(lowered, stop)},
      ignored_{ignored_locks(lowered)} {}

void LockAdvice::report(const dpn::Network& network, const solver::Problem& problem, dpn::Verdict verdict) const {
  if (founded_) founded_(network, problem, verdict);
}

void LockAdvice::find_cycles() {
  if (closing_) return;
  const solver::Deadlocks found =
      solver::find_deadlocks(lowered_.network, {.solving = {.witness = solver::WitnessChoice::None, .stop = stop_}});
  stop_.check();
  closing_.emplace();
  for (const solver::LockCycle& cycle : found.cycles) {
    (cycle.answer.verdict == dpn::Verdict::Unreachable ? refuted_ : *closing_).insert(cycle.shape);
    report(lowered_.network, solver::cycle_problem(cycle.shape), cycle.answer.verdict);
  }
}

const std::vector<solver::LockEdge>& LockAdvice::graph() {
  if (!graph_) graph_ = solver::lock_graph_with_joins(lowered_.network, stop_);
  return *graph_;
}

// Or may stand so: that can be unknown.
bool LockAdvice::can_stand(const dpn::Network& network, const solver::Problem& cycle) const {
  const solver::Answer answer = solver::solve(network, cycle, {.witness = solver::WitnessChoice::None, .stop = stop_});
  stop_.check();
  report(network, cycle, answer.verdict);
  return answer.verdict != dpn::Verdict::Unreachable;
}

// With a lock more, threads can only stand in fewer places together. So a new deadlock is a cycle of locks in which
// some thread stands where none stood by itself: before it takes the added lock, or while it has it.
bool LockAdvice::adds_deadlock(const GuardedStatements& guarded, dpn::Lock lock) {
  IdVector<dpn::StackSymbol, dpn::StackSymbol> before;  // the guarded network's symbols, as they were
  for (dpn::StackSymbol symbol : guarded.network.stack_symbols().keys()) before.push_back(symbol);
  for (dpn::StackSymbol symbol : guarded.inside.keys()) before[guarded.inside[symbol]] = symbol;
  using Symbols = std::vector<dpn::StackSymbol>;
  const std::vector<solver::LockEdge> now = solver::lock_graph_with_joins(guarded.network, stop_);
  for (const solver::CycleShape& cycle : solver::cycle_shapes(now, solver::DeadlockOptions{}.max_cycles).shapes) {
    const solver::Problem problem = solver::cycle_problem(cycle);
    const std::vector<Symbols> there = solver::places_by_goal(now, cycle);
    const std::vector<Symbols> old = solver::places_by_goal(graph(), cycle);
    for (std::size_t goal = 0; goal < there.size(); ++goal) {
      const bool has_it = problem.phases.front().standing[goal].holding == lock;
      std::vector<Symbols> places(there.size());
      for (dpn::StackSymbol place : there[goal])
        if (!std::ranges::binary_search(old[goal], has_it ? place : before[place])) places[goal].push_back(place);
      if (!places[goal].empty() && can_stand(guarded.network, solver::cycle_problem(cycle, places))) return true;
    }
  }
  return false;
}

std::vector<dpn::Lock> LockAdvice::idle_locks(
    const std::function<void(std::size_t number, std::size_t total)>& on_lock) {
  std::vector<dpn::Lock> found;
  for (dpn::Lock lock : lowered_.network.locks().keys()) {
    if (on_lock) on_lock(lock.index() + 1, lowered_.network.locks().size());
    if (contains(ignored_, lock)) continue;  // what it is good for, the model cannot say
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
    report(reduced, conflict_problem(lowered_, without.racing.front()), dpn::Verdict::Reachable);
    return false;
  }
  for (const Conflict& race : verdicts_.racing)
    report(reduced, conflict_problem(lowered_, race), dpn::Verdict::Reachable);
  for (const Conflict& conflict : verdicts_.apart)
    if (!std::ranges::binary_search(verdicts_.by_text, conflict))
      report(reduced, conflict_problem(lowered_, conflict), dpn::Verdict::Unreachable);
  return keeps_deadlocks(reduced, lock);
}

// Without the lock, threads can do more. So what was a deadlock stays one, unless the lock belongs to it, and only
// cycles that could not be closed are asked about.
bool LockAdvice::keeps_deadlocks(const dpn::Network& reduced, dpn::Lock without) {
  find_cycles();
  const auto has_it = [&](const solver::CycleShape& cycle) { return std::ranges::count(cycle.locks, without) > 0; };
  if (std::ranges::any_of(*closing_, has_it)) return false;
  return std::ranges::none_of(refuted_, [&](const solver::CycleShape& cycle) {
    return !has_it(cycle) && can_stand(reduced, solver::cycle_problem(cycle));
  });
}

std::vector<VariableAdvice> LockAdvice::racing_variables() const {
  std::map<program::Variable, VariableAdvice> by_variable;
  for (const Conflict& race : verdicts_.racing) {
    const program::Variable variable = access(lowered_, race.first).variable;
    by_variable.try_emplace(variable, VariableAdvice{.variable = variable, .races = {}, .addition = {}})
        .first->second.races.push_back(race);
  }
  std::vector<VariableAdvice> all;
  for (auto& [variable, advice] : by_variable) all.push_back(std::move(advice));
  return all;
}

// The locks by how many accesses to the variable hold them always, most first; of these, those first that the model
// knows wherever they are taken.
std::vector<dpn::Lock> LockAdvice::by_protection(program::Variable variable) const {
  IdVector<dpn::Lock, std::size_t> protecting(lowered_.network.locks().size());
  for (const program::Access& here : lowered_.accesses)
    if (here.variable == variable && !here.before.empty())
      for (dpn::Lock lock : held_at(held_, here.before).always) ++protecting[lock];
  std::vector<dpn::Lock> locks;
  for (dpn::Lock lock : protecting.keys()) locks.push_back(lock);
  std::ranges::stable_sort(locks, [&](dpn::Lock a, dpn::Lock b) {
    return std::pair{protecting[b], contains(ignored_, a)} < std::pair{protecting[a], contains(ignored_, b)};
  });
  return locks;
}

LockAddition LockAdvice::around_all(const VariableAdvice& races, dpn::Lock lock) const {
  std::set<AccessId> racing;
  for (const Conflict& race : races.races) racing.insert({race.first, race.second});
  LockAddition addition{.lock = lock, .around = {}};
  std::set<StatementId> statements;
  for (AccessId id : racing) {
    const program::Access& here = access(lowered_, id);
    if (contains(held_at(held_, here.before).always, lock)) continue;
    const StatementId statement{here.procedure, here.statement};
    if (statements.insert(statement).second) addition.around.push_back({statement, id});
  }
  return addition;
}

// That both sides hold the lock then follows from which locks are held where; whoever wants it proved asks the network.
void LockAdvice::report_removed(const VariableAdvice& races, const GuardedStatements& guarded, dpn::Lock lock) const {
  if (!founded_ || contains(ignored_, lock)) return;
  for (const Conflict& race : races.races) {
    solver::Problem problem = conflict_problem(lowered_, race);
    for (solver::StandGoal& goal : problem.phases.front().standing)
      for (dpn::StackSymbol& top : *goal.tops) top = guarded.inside[top];
    report(guarded.network, problem, dpn::Verdict::Unreachable);
  }
}

std::optional<LockAddition> LockAdvice::addition(const VariableAdvice& races) {
  std::optional<LockAddition> second_best;
  for (dpn::Lock lock : by_protection(races.variable)) {
    stop_.check();
    LockAddition candidate = around_all(races, lock);
    std::vector<StatementId> statements;
    for (const LockAddition::Around& each : candidate.around) statements.push_back(each.statement);
    const GuardedStatements guarded = guarded_statements(program_, lowered_, statements, lock);
    candidate.adds_deadlock = adds_deadlock(guarded, lock);
    if (candidate.adds_deadlock && second_best) continue;
    report_removed(races, guarded, lock);
    if (!candidate.adds_deadlock) return candidate;
    second_best = std::move(candidate);
  }
  return second_best;
}

}  // namespace lockwood::findings
