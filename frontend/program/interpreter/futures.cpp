#include "frontend/program/interpreter/futures.hpp"

#include <bit>
#include <cassert>

#include "frontend/program/ir/control.hpp"
#include "frontend/program/lowering/waiting.hpp"

namespace lockwood::program {
namespace {

using explorer::ActionKind;
using explorer::KindSet;

// What a class of actions does, as bits.
enum Deed : std::uint32_t { Reading = 1, Writing = 2, Acquiring = 4, Notifying = 8, GoingToWait = 16 };

std::uint32_t deeds_of(KindSet kinds) {
  std::uint32_t deeds = 0;
  if (kinds.contains(ActionKind::Read)) deeds |= Reading;
  if (kinds.contains(ActionKind::Write)) deeds |= Writing;
  if (kinds.intersects(explorer::acquiring_kinds)) deeds |= Acquiring;
  if (kinds.intersects(explorer::notifying_kinds)) deeds |= Notifying;
  if (kinds.intersects(explorer::waiting_kinds)) deeds |= GoingToWait;
  return deeds;
}

// Whether the instruction may do one of these with the object. Entering again and leaving partly are invisible, but it
// is not known here whether they are that.
bool does(const Procedure& procedure, const Instruction& instruction, std::uint32_t deeds, std::uint32_t object) {
  const auto is = [&](std::uint32_t deed, std::size_t index) { return (deeds & deed) != 0 && index == object; };
  if (const auto* read = std::get_if<Read>(&instruction)) return is(Reading, read->variable.index());
  if (const auto* write = std::get_if<Write>(&instruction)) return is(Writing, write->variable.index());
  if (const auto* enter = std::get_if<Enter>(&instruction))
    return procedure.regions[enter->region].lock && is(Acquiring, procedure.regions[enter->region].lock->index());
  if (const auto* wait = std::get_if<Wait>(&instruction)) return is(GoingToWait | Acquiring, wait->lock.index());
  if (const auto* notify = std::get_if<Notify>(&instruction)) return is(Notifying, notify->lock.index());
  return false;
}

std::uint64_t guard(Lock lock) { return lock.index() < 63 ? std::uint64_t{1} << lock.index() : 0; }

}  // namespace

FutureOracle::FutureOracle(const ProgramMachine& machine)
    : machine_{machine}, calls_(machine.program().procedures.size()), unheld_(machine.sites().size()) {
  const Program& program = machine.program();
  for (ProcedureId id : program.procedures.keys()) {
    for (Point point : program.procedures[id].points.keys()) {
      const Instruction& instruction = program.procedures[id].points[point].instruction;
      const std::size_t site = machine.sites()[{id, point}].index();
      if (const auto* call = std::get_if<Call>(&instruction)) calls_[call->procedure.index()].push_back(site);
      if (const auto* spawn = std::get_if<Spawn>(&instruction)) calls_[spawn->procedure.index()].push_back(site);
    }
  }
  for (const UnheldWait& unheld : unheld_waits(program, control_of(program)))
    unheld_[machine.sites()[{unheld.procedure, unheld.point}].index()] = true;
}

// The greatest solution of the equations: everything begins as "no way", and a point is looked at again when one that
// it depends on has less.
FutureOracle::ClassFacts FutureOracle::compute(std::uint32_t deeds, std::uint32_t object) const {
  const Program& program = machine_.program();
  const Sites& sites = machine_.sites();
  constexpr Facts unreachable{no_way, no_way};
  ClassFacts facts{.at = std::vector<Facts>(sites.size(), unreachable),
                   .after_call = std::vector<Facts>(sites.size(), unreachable)};
  std::vector<std::vector<std::size_t>> dependents(sites.size());
  std::vector<std::size_t> worklist;
  std::vector<bool> queued(sites.size(), true);
  for (ProcedureId id : program.procedures.keys()) {
    const Procedure& procedure = program.procedures[id];
    for (Point point : procedure.points.keys()) {
      const std::size_t site = sites[{id, point}].index();
      worklist.push_back(site);
      for (Point next : successors(procedure, point)) dependents[sites[{id, next}].index()].push_back(site);
    }
  }
  const auto entry_of = [&](ProcedureId id) { return sites[{id, program.procedures[id].entry}].index(); };
  for (ProcedureId id : program.procedures.keys())
    for (std::size_t caller : calls_[id.index()]) dependents[entry_of(id)].push_back(caller);

  const auto equation = [&](std::size_t site) -> Facts {
    const auto place = sites.place(explorer::Site{site});
    const Procedure& procedure = program.procedures[place.procedure];
    const Instruction& instruction = procedure.points[place.point].instruction;
    if (does(procedure, instruction, deeds, object)) return {none, no_way};
    if (std::holds_alternative<Return>(instruction) || std::holds_alternative<Raise>(instruction))
      return {no_way, none};
    Facts met = unreachable;
    for (Point next : successors(procedure, place.point)) {
      const Facts& after = facts.at[sites[{place.procedure, next}].index()];
      met.before &= after.before;
      met.beyond &= after.beyond;
    }
    if (const auto* enter = std::get_if<Enter>(&instruction)) {
      const auto& lock = procedure.regions[enter->region].lock;
      const Guards taken = lock ? guard(*lock) : 0;
      return {met.before | taken, met.beyond | taken};
    }
    if (const auto* wait = std::get_if<Wait>(&instruction); wait != nullptr && !unheld_[site])
      return {met.before | guard(wait->lock), met.beyond | guard(wait->lock)};
    if (const auto* call = std::get_if<Call>(&instruction)) {
      const Facts& callee = facts.at[entry_of(call->procedure)];
      return {callee.before & (callee.beyond | met.before), callee.beyond | met.beyond};
    }
    if (const auto* spawn = std::get_if<Spawn>(&instruction))
      return {met.before & facts.at[entry_of(spawn->procedure)].before, met.beyond};
    return met;
  };
  while (!worklist.empty()) {
    const std::size_t site = worklist.back();
    worklist.pop_back();
    queued[site] = false;
    const Facts now = equation(site);
    Facts& known = facts.at[site];
    if (now.before == known.before && now.beyond == known.beyond) continue;
    assert((now.before & ~known.before) == 0 && (now.beyond & ~known.beyond) == 0);  // only ever less
    known = now;
    for (std::size_t dependent : dependents[site]) {
      if (queued[dependent]) continue;
      queued[dependent] = true;
      worklist.push_back(dependent);
    }
  }
  for (std::size_t site = 0; site < sites.size(); ++site) {
    const auto place = sites.place(explorer::Site{site});
    const Procedure& procedure = program.procedures[place.procedure];
    if (!std::holds_alternative<Call>(procedure.points[place.point].instruction)) continue;
    for (Point next : successors(procedure, place.point)) {
      const Facts& after = facts.at[sites[{place.procedure, next}].index()];
      facts.after_call[site].before &= after.before;
      facts.after_call[site].beyond &= after.beyond;
    }
  }
  return facts;
}

const FutureOracle::ClassFacts* FutureOracle::facts_of(const explorer::Conflict& conflict) {
  const std::uint32_t deeds = deeds_of(conflict.kinds);
  if (deeds == 0) return nullptr;
  const auto [place, is_new] = known_.try_emplace({deeds, conflict.object});
  if (is_new) place->second = compute(deeds, conflict.object);
  return &place->second;
}

FutureOracle::Guards FutureOracle::guards_of(const ClassFacts& facts, explorer::ThreadId thread) const {
  Guards before = no_way;
  Guards beyond = none;
  bool innermost = true;
  machine_.for_each_frame(thread, [&](explorer::Site site) {
    const Facts& frame = innermost ? facts.at[site.index()] : facts.after_call[site.index()];
    before &= beyond | frame.before;
    beyond |= frame.beyond;
    innermost = false;
  });
  return before;
}

bool FutureOracle::cannot_reach(const explorer::Machine& machine, const explorer::Question& question) {
  assert(&machine == &machine_);
  static_cast<void>(machine);
  // Nobody but its parent starts a thread, so that nobody else is asked about a start.
  const ClassFacts* facts = facts_of(question.conflict);
  if (facts == nullptr) return true;
  const Guards guards = guards_of(*facts, question.thread);
  if ((guards & no_way_bit) != 0) return true;
  // Only the locks on all ways are looked at: this is asked for every thread of every state.
  for (Guards left = guards; left != 0; left &= left - 1) {
    const auto owner = machine_.owner(Lock{static_cast<std::size_t>(std::countr_zero(left))});
    if (owner && (question.frozen.contains(*owner) || question.stuck.contains(*owner))) return true;
  }
  return false;
}

}  // namespace lockwood::program
