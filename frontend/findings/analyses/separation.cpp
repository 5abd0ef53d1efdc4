#include "frontend/findings/analyses/separation.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>

#include "frontend/findings/analyses/held_locks.hpp"
#include "solver/analyses/explain.hpp"
#include "solver/analyses/solve.hpp"

namespace lockwood::findings {
namespace {

// The procedures that are run by threads other than the main one.
IdVector<program::ProcedureId, bool> run_by_others(const program::Program& program) {
  IdVector<program::ProcedureId, bool> found(program.procedures.size(), false);
  std::vector<program::ProcedureId> worklist;
  const auto mark = [&](program::ProcedureId procedure) {
    if (found[procedure]) return;
    found[procedure] = true;
    worklist.push_back(procedure);
  };
  for (const program::Procedure& procedure : program.procedures)
    for (const program::Node& node : procedure.points)
      if (const auto* spawn = std::get_if<program::Spawn>(&node.instruction)) mark(spawn->procedure);
  while (!worklist.empty()) {
    const program::ProcedureId procedure = worklist.back();
    worklist.pop_back();
    for (const program::Node& node : program.procedures[procedure].points)
      if (const auto* call = std::get_if<program::Call>(&node.instruction)) mark(call->procedure);
  }
  return found;
}

Separation by_locks(const program::Lowered& lowered, const Conflict& conflict,
                    const IdVector<dpn::StackSymbol, HeldLocks>& held, StopToken stop) {
  if (auto common = common_locks(lowered, held, conflict); !common.empty()) return SameLocks{std::move(common)};
  solver::Reason reason = solver::explain(lowered.network, conflict_problem(lowered, conflict), stop);
  auto* apart = std::get_if<solver::Excluded>(&reason);
  assert(apart != nullptr);  // without locks they meet
  return LockOrder{std::move(apart->locks), std::move(apart->example)};
}

// Whether the first access can be done and the second one later, if locks do not count.
bool can_follow(const program::Lowered& lowered, AccessId first, AccessId second, StopToken stop) {
  solver::Phase does{.fired = {{access(lowered, first).action}}};
  solver::Phase comes;
  comes.standing.push_back({.tops = access(lowered, second).before, .holding = {}, .wanting = {}});
  const solver::Problem problem{
      .semantics = dpn::Semantics::LockInsensitive, .phases = {std::move(does), std::move(comes)}, .collect = {}};
  const solver::Answer answer =
      solver::solve(lowered.network, problem, {.witness = solver::WitnessChoice::None, .stop = stop});
  stop.check();
  return answer.verdict == dpn::Verdict::Reachable;
}

Order order_of(const program::Lowered& lowered, const Conflict& conflict, StopToken stop) {
  const bool forwards = can_follow(lowered, conflict.first, conflict.second, stop);
  const bool backwards =
      conflict.first == conflict.second ? forwards : can_follow(lowered, conflict.second, conflict.first, stop);
  if (forwards && backwards) return Order::Either;
  if (forwards) return Order::FirstIsOver;
  return backwards ? Order::SecondIsOver : Order::NeverBoth;
}

}  // namespace

std::vector<Separation> separations(const program::Program& program, const program::Lowered& lowered,
                                    const std::vector<Conflict>& apart, AskOrder ask_order, StopToken stop) {
  std::vector<Separation> found;
  if (apart.empty()) return found;
  const ConflictVerdicts without_locks = decide(lowered.network, lowered, apart, dpn::Semantics::LockInsensitive, stop);
  stop.check();
  const auto held = held_locks(lowered, stop);
  const auto others = run_by_others(program);
  for (const Conflict& conflict : apart) {
    if (std::ranges::binary_search(without_locks.racing, conflict)) {
      found.push_back(by_locks(lowered, conflict, held, stop));
    } else if (!others[access(lowered, conflict.first).procedure] &&
               !others[access(lowered, conflict.second).procedure]) {
      found.emplace_back(OneThread{});
    } else {
      const auto ended = solver::ended_by_then(lowered.network, conflict_problem(lowered, conflict), stop);
      found.emplace_back(NeverParallel{ask_order == AskOrder::Yes ? order_of(lowered, conflict, stop) : Order::Unasked,
                                       ended ? ended->joins : std::vector<dpn::RuleId>{}});
    }
  }
  return found;
}

}  // namespace lockwood::findings
