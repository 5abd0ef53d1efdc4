#include "frontend/findings/races.hpp"

#include <algorithm>

#include "solver/mhp.hpp"

namespace lockwood::findings {
namespace {

using program::AccessKind;

// Ascending and without repetition.
std::vector<dpn::StackSymbol> ordered(std::vector<dpn::StackSymbol> symbols) {
  std::ranges::sort(symbols);
  symbols.erase(std::unique(symbols.begin(), symbols.end()), symbols.end());
  return symbols;
}

}  // namespace

std::vector<Conflict> conflicts(const program::Lowered& lowered, std::optional<program::Variable> variable) {
  std::vector<std::vector<AccessId>> by_variable;
  for (std::size_t i = 0; i < lowered.accesses.size(); ++i) {
    const program::Access& here = lowered.accesses[i];
    if (here.before.empty() || (variable && here.variable != *variable)) continue;
    if (here.variable.index() >= by_variable.size()) by_variable.resize(here.variable.index() + 1);
    by_variable[here.variable.index()].emplace_back(i);
  }
  std::vector<Conflict> found;
  const auto writes = [&](AccessId id) { return access(lowered, id).kind == AccessKind::Write; };
  for (const auto& accesses : by_variable)
    for (std::size_t i = 0; i < accesses.size(); ++i)
      for (std::size_t j = i; j < accesses.size(); ++j)
        if (writes(accesses[i]) || writes(accesses[j])) found.push_back({accesses[i], accesses[j]});
  std::ranges::sort(found);
  return found;
}

ConflictVerdicts decide(const dpn::Network& network, const program::Lowered& lowered,
                        const std::vector<Conflict>& conflicts, dpn::Semantics semantics, StopToken stop) {
  ConflictVerdicts verdicts;
  if (conflicts.empty()) return verdicts;
  // A pair has a write on one side; which access stands on that side does not matter, because pairs have no order.
  std::vector<dpn::StackSymbol> writing;
  std::vector<dpn::StackSymbol> accessing;
  for (const Conflict& conflict : conflicts)
    for (AccessId id : {conflict.first, conflict.second}) {
      const program::Access& here = access(lowered, id);
      accessing.insert(accessing.end(), here.before.begin(), here.before.end());
      if (here.kind == AccessKind::Write) writing.insert(writing.end(), here.before.begin(), here.before.end());
    }
  const solver::MhpAnswer answer = solver::parallel_pairs(network, {.semantics = semantics,
                                                                    .left = ordered(std::move(writing)),
                                                                    .right = ordered(std::move(accessing)),
                                                                    .stop = stop});
  verdicts.stopped = answer.stopped;
  verdicts.statistics = answer.statistics;
  for (const Conflict& conflict : conflicts) {
    if (solver::has_pair_between(answer.pairs, access(lowered, conflict.first).before,
                                 access(lowered, conflict.second).before)) {
      verdicts.racing.push_back(conflict);
    } else {
      (answer.stopped ? verdicts.undecided : verdicts.apart).push_back(conflict);
    }
  }
  return verdicts;
}

solver::Problem conflict_problem(const program::Lowered& lowered, const Conflict& conflict) {
  solver::Phase phase;
  for (AccessId id : {conflict.first, conflict.second})
    phase.standing.push_back({.tops = access(lowered, id).before, .holding = {}, .wanting = {}});
  return {.semantics = dpn::Semantics::LockSensitive, .phases = {std::move(phase)}, .collect = {}};
}

}  // namespace lockwood::findings
