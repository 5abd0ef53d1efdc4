#include "frontend/findings/analyses/def_use.hpp"

#include <algorithm>
#include <cassert>

namespace lockwood::findings {
namespace {

using program::AccessKind;

std::vector<AccessId> accesses(const program::Lowered& lowered, std::optional<program::Variable> variable,
                               AccessKind kind) {
  std::vector<AccessId> found;
  for (std::size_t i = 0; i < lowered.accesses.size(); ++i) {
    const program::Access& here = lowered.accesses[i];
    if (here.kind == kind && !here.before.empty() && (!variable || here.variable == *variable)) found.emplace_back(i);
  }
  return found;
}

std::vector<dpn::StackSymbol> places_before(const program::Lowered& lowered, const std::vector<AccessId>& ids) {
  std::vector<dpn::StackSymbol> places;
  for (AccessId id : ids) {
    const auto& before = access(lowered, id).before;
    places.insert(places.end(), before.begin(), before.end());
  }
  return places;
}

}  // namespace

std::vector<AccessId> definitions(const program::Lowered& lowered, std::optional<program::Variable> variable) {
  return accesses(lowered, variable, AccessKind::Write);
}
std::vector<AccessId> uses(const program::Lowered& lowered, std::optional<program::Variable> variable) {
  return accesses(lowered, variable, AccessKind::Read);
}

DefinitionQuestion::DefinitionQuestion(const program::Lowered& lowered, AccessId definition)
    : lowered_{lowered},
      uses_{uses(lowered, access(lowered, definition).variable)},
      marked_{marked_thread(lowered.network, access(lowered, definition).action, places_before(lowered, uses_))},
      flow_{marked_.instrumented.network} {
  if (access(lowered, definition).one_place)
    for (AccessId other : definitions(lowered, access(lowered, definition).variable))
      definitions_.push_back(access(lowered, other).action);
}

// A thread that defines the value anew is no longer asked about: it would need a mark of its own. So the last phase has
// no definition at all, and every execution is cut before the last one. In the middle phase several threads may define
// the value and be marked; any of them can be the last, because these steps commute.
solver::Problem DefinitionQuestion::problem(dpn::Semantics semantics) const {
  solver::Phase before{.avoiding = {marked_.mark, marked_.probe}};
  solver::Phase define{.fired = {{marked_.mark}}};
  for (dpn::Action action : marked_.instrumented.network.actions().keys())
    if (action != marked_.mark) define.avoiding.push_back(action);
  solver::Phase after{.avoiding = definitions_};
  after.avoiding.push_back(marked_.mark);
  return {.semantics = semantics, .phases = {std::move(before), std::move(define), std::move(after)}, .collect = {}};
}

solver::Problem DefinitionQuestion::problem(AccessId use, Reader reader) const {
  solver::Problem question = problem(dpn::Semantics::LockSensitive);
  std::vector<dpn::StackSymbol> tops;
  const auto& before = access(lowered_, use).before;
  for (const MarkedThread::Probe& probe : marked_.probes)
    if (std::ranges::count(before, probe.place) > 0)
      tops.push_back(reader == Reader::Same ? probe.by_marked : probe.by_other);
  question.phases.back().standing.push_back({.tops = std::move(tops), .holding = {}, .wanting = {}});
  return question;
}

std::vector<dpn::StackSymbol> DefinitionQuestion::probed() const {
  std::vector<dpn::StackSymbol> probed;
  for (const MarkedThread::Probe& probe : marked_.probes)
    probed.insert(probed.end(), {probe.by_marked, probe.by_other});
  return probed;
}

ReachedUses DefinitionQuestion::reached(dpn::Semantics semantics, StopToken stop) const {
  return uses_at(solver::locations_at_end(network(), problem(semantics), probed(), stop));
}

DefinitionQuestion::ComparedUses DefinitionQuestion::reached_with_and_without_locks(StopToken stop) const {
  const solver::ComparedPlaces places =
      solver::compared_places(network(), flow_, problem(dpn::Semantics::LockSensitive), probed(), stop);
  return {.with_locks = uses_at(places.with_locks), .without_locks = uses_at(places.without_locks)};
}

ReachedUses DefinitionQuestion::uses_at(const solver::LocationsAtEnd& places) const {
  IdVector<dpn::StackSymbol, bool> stood(network().stack_symbols().size(), false);
  for (dpn::StackSymbol symbol : places.symbols) stood[symbol] = true;

  ReachedUses result;
  result.stopped = places.stopped;
  for (AccessId use : uses_) {
    ReachedUse& reached = result.uses.emplace_back(ReachedUse{use});
    for (const MarkedThread::Probe& probe : marked_.probes) {
      if (std::ranges::count(access(lowered_, use).before, probe.place) == 0) continue;
      if (stood[probe.by_marked]) reached.by_same = true;
      if (stood[probe.by_other]) reached.by_other = true;
    }
  }
  return result;
}

solver::Answer DefinitionQuestion::witness(AccessId use, Reader reader, StopToken stop) const {
  solver::Answer answer =
      solver::solve(marked_.instrumented.network, problem(use, reader), {.flow = &flow_, .stop = stop});
  if (answer.witness) answer.witness->schedule = original_schedule(marked_.instrumented, answer.witness->schedule);
  return answer;
}

solver::Reason DefinitionQuestion::reason(AccessId use, Reader reader, StopToken stop) const {
  return solver::explain(marked_.instrumented.network, problem(use, reader), stop);
}

bool DefinitionQuestion::reaches_overwritten(AccessId use, Reader reader, dpn::Semantics semantics,
                                             StopToken stop) const {
  solver::Problem question = problem(use, reader);
  question.semantics = semantics;
  question.phases.back().avoiding = {marked_.mark};
  const solver::Answer answer = solver::solve(marked_.instrumented.network, question,
                                              {.witness = solver::WitnessChoice::None, .flow = &flow_, .stop = stop});
  stop.check();
  return answer.verdict == dpn::Verdict::Reachable;
}

}  // namespace lockwood::findings
