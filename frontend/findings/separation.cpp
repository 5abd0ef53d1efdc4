#include "frontend/findings/separation.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>

#include "frontend/findings/held_locks.hpp"
#include "solver/explain.hpp"

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
  const auto first = held_at(held, access(lowered, conflict.first).before).always;
  const auto second = held_at(held, access(lowered, conflict.second).before).always;
  SameLocks common;
  std::ranges::set_intersection(first, second, std::back_inserter(common.locks));
  if (!common.locks.empty()) return common;
  solver::Reason reason = solver::explain(lowered.network, conflict_problem(lowered, conflict), stop);
  auto* apart = std::get_if<solver::HeldApart>(&reason);
  assert(apart != nullptr);  // without locks they meet
  return LockOrder{std::move(apart->locks), std::move(apart->example)};
}

}  // namespace

std::vector<Separation> separations(const program::Program& program, const program::Lowered& lowered,
                                    const std::vector<Conflict>& apart, StopToken stop) {
  std::vector<Separation> found;
  if (apart.empty()) return found;
  const ConflictVerdicts without_locks = decide(lowered.network, lowered, apart, dpn::Semantics::LockInsensitive, stop);
  stop.check();
  const auto held = held_locks(lowered.network, stop);
  const auto others = run_by_others(program);
  for (const Conflict& conflict : apart) {
    if (std::ranges::binary_search(without_locks.racing, conflict)) {
      found.push_back(by_locks(lowered, conflict, held, stop));
    } else if (!others[access(lowered, conflict.first).procedure] &&
               !others[access(lowered, conflict.second).procedure]) {
      found.emplace_back(OneThread{});
    } else {
      found.emplace_back(SpawnOrder{});
    }
  }
  return found;
}

}  // namespace lockwood::findings
