#include "frontend/program/lowering/warnings.hpp"

#include <algorithm>
#include <array>

#include "frontend/program/ir/control.hpp"
#include "frontend/program/lowering/liveness.hpp"
#include "frontend/program/lowering/waiting.hpp"

namespace lockwood::program {
namespace {

constexpr std::array<std::string_view, warning_codes> names{
    "unused-variable",  "unused-lock",    "unused-local",  "unreachable-procedure",
    "unreachable-code", "reentrant-sync", "unlocked-wait", "shadowed-name"};

class Review {
 public:
  explicit Review(const Program& program) : program_{program}, control_{control_of(program)} {}

  std::vector<Warning> run() && {
    unused_globals();
    const auto reachable = reachable_procedures(program_, control_);
    for (ProcedureId id : program_.procedures.keys()) {
      const Procedure& procedure = program_.procedures[id];
      unused_locals(procedure);
      reentrant_regions(procedure);
      if (reachable[id])
        unreachable_code(id);
      else
        warn(WarningCode::UnreachableProcedure, procedure.range, "procedure '" + procedure.name + "' is never run");
    }
    for (const UnheldWait& wait : unheld_waits(program_, control_))
      if (!wait.never_held)
        warn(WarningCode::UnlockedWait, program_.procedures[wait.procedure].points[wait.point].range,
             "the lock is not held on every way that leads here");
    std::ranges::stable_sort(found_, {}, [](const Warning& warning) { return warning.range; });
    return std::move(found_);
  }

 private:
  void warn(WarningCode code, SourceRange range, std::string message) {
    found_.push_back({code, range, std::move(message)});
  }

  void unused_globals() {
    IdVector<Variable, bool> variables(program_.variables.size());
    IdVector<Lock, bool> locks(program_.locks.size());
    for (const Procedure& procedure : program_.procedures) {
      for (const MonitorRegion& region : procedure.regions)
        if (region.lock) locks[*region.lock] = true;
      for (const Node& node : procedure.points) {
        if (const auto* read = std::get_if<Read>(&node.instruction)) variables[read->variable] = true;
        if (const auto* write = std::get_if<Write>(&node.instruction)) variables[write->variable] = true;
        if (const auto* wait = std::get_if<Wait>(&node.instruction)) locks[wait->lock] = true;
        if (const auto* notify = std::get_if<Notify>(&node.instruction)) locks[notify->lock] = true;
      }
    }
    for (Variable variable : variables.keys())
      if (!variables[variable])
        warn(WarningCode::UnusedVariable, program_.variables[variable].range,
             "variable '" + program_.variables[variable].name + "' is not used");
    for (Lock lock : locks.keys())
      if (!locks[lock])
        warn(WarningCode::UnusedLock, program_.locks[lock].range,
             "lock '" + program_.locks[lock].name + "' is not used");
  }

  void unused_locals(const Procedure& procedure) {
    IdVector<Local, bool> used(procedure.locals.size());
    for (const Node& node : procedure.points)
      for (Local local : used_locals(node.instruction)) used[local] = true;
    for (Local local : procedure.locals.keys()) {
      const LocalInfo& info = procedure.locals[local];
      if (used[local] || info.name.empty() || local.index() < procedure.parameters) continue;
      warn(WarningCode::UnusedLocal, info.range, "the value of '" + info.name + "' is never used");
    }
  }

  void reentrant_regions(const Procedure& procedure) {
    for (const MonitorRegion& region : procedure.regions)
      for (auto outer = region.parent; outer; outer = procedure.regions[*outer].parent) {
        if (!region.lock || procedure.regions[*outer].lock != region.lock) continue;
        warn(WarningCode::ReentrantSync, procedure.points[region.enter].range,
             "lock '" + program_.locks[*region.lock].name + "' is held here already: taking it again does nothing");
        break;
      }
  }

  // One warning for a piece of the text: for a point that cannot be reached while the one before it can. Ends of
  // procedures and regions are nobody's statements.
  void unreachable_code(ProcedureId id) {
    const Procedure& procedure = program_.procedures[id];
    bool before = true;
    for (Point point : procedure.points.keys()) {
      const Node& node = procedure.points[point];
      if (std::holds_alternative<Return>(node.instruction) || std::holds_alternative<Leave>(node.instruction) ||
          std::holds_alternative<Raise>(node.instruction))
        continue;
      const bool reachable = control_.reachable[id][point];
      if (!reachable && before) warn(WarningCode::UnreachableCode, node.range, "control never gets here");
      before = reachable;
    }
  }

  const Program& program_;
  Control control_;
  std::vector<Warning> found_;
};

}  // namespace

std::string_view name_of(WarningCode code) { return names.at(static_cast<std::size_t>(code)); }

std::optional<WarningCode> warning_code(std::string_view name) {
  const auto* found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<WarningCode>(found - names.begin());
}

std::vector<Warning> warnings(const Program& program) { return Review{program}.run(); }

std::vector<Warning> impossible_waits(const Program& program) {
  std::vector<Warning> found;
  for (const UnheldWait& wait : unheld_waits(program, control_of(program)))
    if (wait.never_held)
      found.push_back({WarningCode::UnlockedWait, program.procedures[wait.procedure].points[wait.point].range,
                       "the lock is never held here"});
  return found;
}

}  // namespace lockwood::program
