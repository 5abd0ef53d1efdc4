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

}  // namespace

std::vector<AccessId> definitions(const program::Lowered& lowered, std::optional<program::Variable> variable) {
  return accesses(lowered, variable, AccessKind::Write);
}
std::vector<AccessId> uses(const program::Lowered& lowered, std::optional<program::Variable> variable) {
  return accesses(lowered, variable, AccessKind::Read);
}

DefUseModel::DefUseModel(const program::Lowered& lowered, program::Variable variable, const Focus* focus,
                         StopToken stop)
    : lowered_{lowered},
      definitions_{definitions(lowered, variable)},
      uses_{findings::uses(lowered, variable)},
      focused_{focus == nullptr ? std::nullopt : focus->on(variable, stop)},
      marked_{marked_thread(focused_ ? focused_->network() : lowered.network, actions(definitions_), places())},
      flow_{marked_.instrumented.network} {}

dpn::Action DefUseModel::action(AccessId id) const {
  const dpn::Action its = access(lowered_, id).action;
  return focused_ ? focused_->image(its) : its;
}
std::vector<dpn::Action> DefUseModel::actions(const std::vector<AccessId>& ids) const {
  std::vector<dpn::Action> found;
  for (AccessId id : ids) found.push_back(action(id));
  return found;
}
// Before the uses.
std::vector<dpn::StackSymbol> DefUseModel::places() const {
  std::vector<dpn::StackSymbol> found;
  for (AccessId use : uses_)
    for (dpn::StackSymbol symbol : access(lowered_, use).before)
      found.push_back(focused_ ? focused_->image(symbol) : symbol);
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

dpn::Action DefUseModel::mark(AccessId definition) const {
  const auto at = std::ranges::lower_bound(definitions_, definition);
  assert(at != definitions_.end() && *at == definition);
  return marked_.marks[static_cast<std::size_t>(at - definitions_.begin())];
}
dpn::StackSymbol DefUseModel::probed(dpn::StackSymbol before_use, Reader reader) const {
  const dpn::StackSymbol place = focused_ ? focused_->image(before_use) : before_use;
  const auto at = std::ranges::lower_bound(marked_.probes, place, {}, &MarkedThread::Probe::place);
  assert(at != marked_.probes.end() && at->place == place);
  return reader == Reader::Same ? at->by_marked : at->by_other;
}

dpn::Schedule DefUseModel::in_program(const dpn::Schedule& schedule) const {
  dpn::Schedule unmarked = original_schedule(marked_.instrumented, schedule);
  return focused_ ? focused_->lifted(unmarked, dpn::Semantics::LockSensitive) : unmarked;
}

// A thread that defines the value anew is no longer asked about: it would need a mark of its own. So the last phase has
// no definition at all, and every execution is cut before the last one. In the middle phase several threads may define
// the value and be marked; any of them can be the last, because these steps commute.
solver::Problem DefUseModel::problem(std::span<const AccessId> asked, dpn::Semantics semantics) const {
  assert(!asked.empty());
  solver::Phase before{.avoiding = marks()};
  before.avoiding.push_back(probe());
  solver::Phase define{.fired = {{}}};
  IdVector<dpn::Action, bool> defining(network().actions().size(), false);
  for (AccessId definition : asked) {
    define.fired.front().push_back(mark(definition));
    defining[mark(definition)] = true;
  }
  for (dpn::Action each : network().actions().keys())
    if (!defining[each]) define.avoiding.push_back(each);
  solver::Phase after{.avoiding = {}};
  if (access(lowered_, asked.front()).one_place) after.avoiding = actions(definitions_);
  after.avoiding.insert(after.avoiding.end(), marks().begin(), marks().end());
  return {.semantics = semantics, .phases = {std::move(before), std::move(define), std::move(after)}, .collect = {}};
}

solver::Problem DefinitionQuestion::problem(dpn::Semantics semantics) const {
  return model_.problem({&definition_, 1}, semantics);
}

solver::Problem DefinitionQuestion::problem(AccessId use, Reader reader) const {
  solver::Problem question = problem(dpn::Semantics::LockSensitive);
  std::vector<dpn::StackSymbol> tops;
  for (dpn::StackSymbol place : access(model_.lowered(), use).before) tops.push_back(model_.probed(place, reader));
  std::ranges::sort(tops);
  tops.erase(std::unique(tops.begin(), tops.end()), tops.end());
  question.phases.back().standing.push_back({.tops = std::move(tops), .holding = {}, .wanting = {}});
  return question;
}

std::vector<dpn::StackSymbol> DefinitionQuestion::probed() const {
  std::vector<dpn::StackSymbol> probed;
  for (AccessId use : model_.uses())
    for (dpn::StackSymbol place : access(model_.lowered(), use).before)
      for (Reader reader : {Reader::Same, Reader::Other}) probed.push_back(model_.probed(place, reader));
  std::ranges::sort(probed);
  probed.erase(std::unique(probed.begin(), probed.end()), probed.end());
  return probed;
}

ReachedUses DefinitionQuestion::reached(dpn::Semantics semantics, StopToken stop) const {
  return uses_at(solver::locations_at_end(network(), problem(semantics), probed(), stop));
}

ReachedUses DefinitionQuestion::uses_at(const solver::LocationsAtEnd& places) const {
  IdVector<dpn::StackSymbol, bool> stood(network().stack_symbols().size(), false);
  for (dpn::StackSymbol symbol : places.symbols) stood[symbol] = true;

  ReachedUses result;
  result.stopped = places.stopped;
  for (AccessId use : model_.uses()) {
    ReachedUse& reached = result.uses.emplace_back(ReachedUse{use});
    for (dpn::StackSymbol place : access(model_.lowered(), use).before) {
      if (stood[model_.probed(place, Reader::Same)]) reached.by_same = true;
      if (stood[model_.probed(place, Reader::Other)]) reached.by_other = true;
    }
  }
  return result;
}

solver::Answer DefinitionQuestion::witness(AccessId use, Reader reader, StopToken stop) const {
  solver::Answer answer = solver::solve(network(), problem(use, reader), {.flow = &model_.flow(), .stop = stop});
  if (answer.witness) answer.witness->schedule = model_.in_program(answer.witness->schedule);
  return answer;
}

solver::Reason DefinitionQuestion::reason(AccessId use, Reader reader, StopToken stop) const {
  return solver::explain(network(), problem(use, reader), stop);
}

bool DefinitionQuestion::reaches_overwritten(AccessId use, Reader reader, dpn::Semantics semantics,
                                             StopToken stop) const {
  solver::Problem question = problem(use, reader);
  question.semantics = semantics;
  question.phases.back().avoiding = model_.marks();
  const solver::Answer answer = solver::solve(
      network(), question, {.witness = solver::WitnessChoice::None, .flow = &model_.flow(), .stop = stop});
  stop.check();
  return answer.verdict == dpn::Verdict::Reachable;
}

}  // namespace lockwood::findings
