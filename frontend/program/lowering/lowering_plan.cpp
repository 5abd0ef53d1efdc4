#include "frontend/program/lowering/lowering_plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/suggestion.hpp"
#include "frontend/program/lowering/liveness.hpp"
#include "frontend/program/lowering/waiting.hpp"

namespace lockwood::program {
namespace {

using Plans = IdVector<ProcedureId, ProcedurePlan>;

[[noreturn]] void refuse(const Program& program, std::string message, std::string hint) {
  throw InputError{{Diagnostic{.file = program.files.empty() ? "" : program.files[SourceFile{0}],
                               .message = std::move(message),
                               .hint = std::move(hint)}}};
}

// Stops tracking the bool. All of its name in the procedure: they are declared in different blocks.
void abstract(const Program& program, const LoweringOptions::Abstracted& wish, Plans& plans) {
  Suggestion suggestion{wish.procedure};
  for (ProcedureId id : program.procedures.keys()) {
    const Procedure& procedure = program.procedures[id];
    suggestion.consider(procedure.name);
    if (procedure.name != wish.procedure) continue;
    Suggestion local_suggestion{wish.local};
    bool found = false;
    for (Local local : procedure.locals.keys()) {
      if (procedure.locals[local].type != Type::Bool) continue;
      local_suggestion.consider(procedure.locals[local].name);
      if (procedure.locals[local].name != wish.local) continue;
      plans[id].tracked[local] = false;
      found = true;
    }
    if (found) return;
    refuse(program, fmt::format("procedure '{}' has no bool '{}' to abstract", wish.procedure, wish.local),
           local_suggestion.hint());
  }
  refuse(program, fmt::format("there is no procedure '{}' to abstract a bool of", wish.procedure), suggestion.hint());
}

// Points of one line are told apart by their numbers on it. Only points that can have symbols count.
IdVector<Point, std::uint32_t> numbers_on_lines(const Procedure& procedure, const IdVector<Point, bool>& reachable) {
  std::vector<Point> order;
  for (Point point : procedure.points.keys())
    if (reachable[point]) order.push_back(point);
  const auto line = [&](Point point) {
    return std::pair{procedure.points[point].range.file, procedure.points[point].range.begin.line};
  };
  std::ranges::stable_sort(order, {}, line);
  IdVector<Point, std::uint32_t> numbers(procedure.points.size());
  for (std::size_t i = 1; i < order.size(); ++i)
    if (line(order[i]) == line(order[i - 1])) numbers[order[i]] = numbers[order[i - 1]] + 1;
  return numbers;
}

// Whether the point lies in a finish region of its procedure.
bool inside_finish(const Procedure& procedure, Point point) {
  for (auto region = procedure.points[point].region; region; region = procedure.regions[*region].parent)
    if (procedure.regions[*region].is_finish()) return true;
  return false;
}

// The procedures whose spawns may happen inside a finish region of a caller.
void mark_in_finish(const Program& program, const Control& control, Plans& plans) {
  std::vector<ProcedureId> worklist;
  const auto mark_callees = [&](ProcedureId id, bool all) {
    const Procedure& procedure = program.procedures[id];
    for (Point point : procedure.points.keys()) {
      const auto* call = std::get_if<Call>(&procedure.points[point].instruction);
      if (call == nullptr || !control.reachable[id][point] || plans[call->procedure].in_finish) continue;
      if (!all && !inside_finish(procedure, point)) continue;
      plans[call->procedure].in_finish = true;
      worklist.push_back(call->procedure);
    }
  };
  for (ProcedureId id : program.procedures.keys()) mark_callees(id, false);
  while (!worklist.empty()) {
    const ProcedureId id = worklist.back();
    worklist.pop_back();
    mark_callees(id, true);
  }
}

}  // namespace

bool may_be_in_finish(const Procedure& procedure, const ProcedurePlan& plan, Point point) {
  return plan.in_finish || inside_finish(procedure, point);
}

Plans plan_lowering(const Program& program, const Control& control, const LoweringOptions& options) {
  Plans plans(program.procedures.size());
  for (ProcedureId id : program.procedures.keys())
    for (const LocalInfo& local : program.procedures[id].locals) plans[id].tracked.push_back(local.type == Type::Bool);
  for (const LoweringOptions::Abstracted& wish : options.abstracted) abstract(program, wish, plans);

  const auto waiting = regions_around_waits(program, control);
  for (ProcedureId id : program.procedures.keys()) {
    const Procedure& procedure = program.procedures[id];
    ProcedurePlan& plan = plans[id];
    plan.live = live_locals(procedure, plan.tracked);
    plan.plain = !control.may_throw(id) && procedure.result != Type::Bool;
    plan.on_line = numbers_on_lines(procedure, control.reachable[id]);
    plan.joined.resize(procedure.groups.size());
    plan.regions.resize(procedure.regions.size());
    for (Region region : procedure.regions.keys()) {
      plan.regions[region].monitor = !waiting[id][region] && !procedure.regions[region].shared;
      plan.regions[region].falls_through = plan.live[procedure.regions[region].exits.front()].empty();
    }
    for (Point point : procedure.points.keys()) {
      const Node& node = procedure.points[point];
      if (const auto* join = std::get_if<Join>(&node.instruction); join != nullptr && control.reachable[id][point])
        for (Group group : join->groups) plan.joined[group] = true;
      const auto* leave = std::get_if<Leave>(&node.instruction);
      const bool leaves = leave != nullptr && leave->exit != 0;
      const auto waited_in = region_left_by_wait(procedure, point);
      if ((leaves || waited_in) && control.reachable[id][point]) plan.regions[*node.region].falls_through = false;
      if (waited_in && !options.exact_waits && control.reachable[id][point]) plan.regions[*waited_in].monitor = false;
    }
  }
  mark_in_finish(program, control, plans);
  return plans;
}

}  // namespace lockwood::program
