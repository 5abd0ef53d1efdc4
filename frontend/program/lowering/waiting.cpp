#include "frontend/program/lowering/waiting.hpp"

#include <algorithm>

namespace lockwood::program {
namespace {

struct Site {
  ProcedureId procedure;
  Point point;
};
struct CallSite {
  Site from;
  ProcedureId callee;
};

// The calls, spawns, waits and notifications that control can get to, each procedure taken by itself.
struct Sites {
  std::vector<CallSite> calls;
  std::vector<CallSite> spawns;
  IdVector<Lock, std::vector<Site>> waits;
  IdVector<Lock, std::vector<Site>> signals;  // waits and notifications

  Sites(const Program& program, const Control& control) : waits(program.locks.size()), signals(program.locks.size()) {
    for (ProcedureId procedure : program.procedures.keys())
      for (Point point : program.procedures[procedure].points.keys())
        if (control.reachable[procedure][point])
          look({procedure, point}, program.procedures[procedure].points[point].instruction);
  }

 private:
  void look(Site site, const Instruction& instruction) {
    if (const auto* call = std::get_if<Call>(&instruction)) calls.push_back({site, call->procedure});
    if (const auto* spawn = std::get_if<Spawn>(&instruction)) spawns.push_back({site, spawn->procedure});
    if (const auto* wait = std::get_if<Wait>(&instruction)) {
      waits[wait->lock].push_back(site);
      signals[wait->lock].push_back(site);
    }
    if (const auto* notify = std::get_if<Notify>(&instruction)) signals[notify->lock].push_back(site);
  }
};

// Whether the point lies in a region of the lock.
bool inside(const Program& program, Site site, Lock lock) {
  const Procedure& procedure = program.procedures[site.procedure];
  for (auto region = procedure.points[site.point].region; region; region = procedure.regions[*region].parent)
    if (may_take(procedure.regions[*region], lock)) return true;
  return false;
}

using ProcedureSet = IdVector<ProcedureId, bool>;

// The set closed under one way along the calls: from callees to callers, or from callers to callees. Only calls that
// the filter lets through count.
template <class Forward, class Filter>
ProcedureSet closure(ProcedureSet set, const std::vector<CallSite>& calls, Forward forward, Filter filter) {
  IdVector<ProcedureId, std::vector<ProcedureId>> next(set.size());
  for (const CallSite& call : calls) {
    if (!filter(call)) continue;
    const auto [from, to] = forward(call);
    next[from].push_back(to);
  }
  std::vector<ProcedureId> worklist;
  for (ProcedureId procedure : set.keys())
    if (set[procedure]) worklist.push_back(procedure);
  while (!worklist.empty()) {
    const ProcedureId procedure = worklist.back();
    worklist.pop_back();
    for (ProcedureId each : next[procedure]) {
      if (set[each]) continue;
      set[each] = true;
      worklist.push_back(each);
    }
  }
  return set;
}

constexpr auto to_caller = [](const CallSite& call) { return std::pair{call.callee, call.from.procedure}; };
constexpr auto to_callee = [](const CallSite& call) { return std::pair{call.from.procedure, call.callee}; };
constexpr auto any_call = [](const CallSite&) { return true; };

}  // namespace

std::optional<Region> region_left_by_wait(const Procedure& procedure, Point point) {
  const Node& node = procedure.points[point];
  const auto* wait = std::get_if<Wait>(&node.instruction);
  const bool own = wait != nullptr && node.region && may_take(procedure.regions[*node.region], wait->lock);
  return own ? node.region : std::nullopt;
}

IdVector<ProcedureId, IdVector<Region, bool>> regions_around_waits(const Program& program, const Control& control) {
  IdVector<ProcedureId, IdVector<Region, bool>> result;
  for (const Procedure& procedure : program.procedures)
    result.push_back(IdVector<Region, bool>(procedure.regions.size()));

  const Sites sites{program, control};
  for (Lock lock : program.locks.keys()) {
    if (sites.waits[lock].empty()) continue;
    const auto mark_around = [&](Site site) {
      const Procedure& procedure = program.procedures[site.procedure];
      const auto left = region_left_by_wait(procedure, site.point);
      for (auto region = procedure.points[site.point].region; region; region = procedure.regions[*region].parent)
        if (may_take(procedure.regions[*region], lock) && region != left) result[site.procedure][*region] = true;
    };
    ProcedureSet waiting(program.procedures.size());
    for (const Site& wait : sites.waits[lock]) {
      waiting[wait.procedure] = true;
      mark_around(wait);
    }
    waiting = closure(std::move(waiting), sites.calls, to_caller, any_call);
    for (const CallSite& call : sites.calls)
      if (waiting[call.callee]) mark_around(call.from);
  }
  return result;
}

std::vector<UnheldWait> unheld_waits(const Program& program, const Control& control) {
  std::vector<UnheldWait> found;
  const Sites sites{program, control};
  const ProcedureSet reachable = reachable_procedures(program, control);
  for (Lock lock : program.locks.keys()) {
    if (sites.signals[lock].empty()) continue;
    const auto without = [&](const CallSite& call) { return !inside(program, call.from, lock); };
    // Procedures that may be entered with the lock, and those that may be entered without it.
    ProcedureSet with_lock(program.procedures.size());
    for (const CallSite& call : sites.calls)
      if (reachable[call.from.procedure] && !without(call)) with_lock[call.callee] = true;
    with_lock = closure(std::move(with_lock), sites.calls, to_callee, any_call);
    ProcedureSet without_lock(program.procedures.size());
    without_lock[program.main] = true;
    for (const CallSite& spawn : sites.spawns)
      if (reachable[spawn.from.procedure]) without_lock[spawn.callee] = true;
    without_lock = closure(std::move(without_lock), sites.calls, to_callee, without);

    for (const Site& site : sites.signals[lock])
      if (reachable[site.procedure] && without_lock[site.procedure] && !inside(program, site, lock))
        found.push_back({site.procedure, site.point, !with_lock[site.procedure]});
  }
  std::ranges::sort(found, {}, [](const UnheldWait& wait) { return std::pair{wait.procedure, wait.point}; });
  return found;
}

}  // namespace lockwood::program
