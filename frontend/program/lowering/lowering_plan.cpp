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

}  // namespace

Plans plan_lowering(const Program& program, const Control& control,
                    const std::vector<LoweringOptions::Abstracted>& abstracted) {
  Plans plans(program.procedures.size());
  for (ProcedureId id : program.procedures.keys())
    for (const LocalInfo& local : program.procedures[id].locals) plans[id].tracked.push_back(local.type == Type::Bool);
  for (const LoweringOptions::Abstracted& wish : abstracted) abstract(program, wish, plans);

  const auto waiting = regions_around_waits(program, control);
  for (ProcedureId id : program.procedures.keys()) {
    const Procedure& procedure = program.procedures[id];
    ProcedurePlan& plan = plans[id];
    plan.live = live_locals(procedure, plan.tracked);
    plan.plain = !control.may_throw[id] && procedure.result != Type::Bool;
    plan.on_line = numbers_on_lines(procedure, control.reachable[id]);
    plan.regions.resize(procedure.regions.size());
    for (Region region : procedure.regions.keys()) {
      plan.regions[region].monitor = !waiting[id][region];
      plan.regions[region].falls_through = plan.live[procedure.regions[region].exits.front()].empty();
    }
    for (Point point : procedure.points.keys()) {
      const Node& node = procedure.points[point];
      const auto* leave = std::get_if<Leave>(&node.instruction);
      const bool leaves = leave != nullptr && leave->exit != 0;
      if ((leaves || region_left_by_wait(procedure, point)) && control.reachable[id][point])
        plan.regions[*node.region].falls_through = false;
    }
  }
  return plans;
}

}  // namespace lockwood::program
