#include "frontend/java/facts/held_receivers.hpp"

#include <algorithm>

namespace lockwood::java {

using namespace jvm;

HeldReceivers::HeldReceivers(const PointsTo& flow, const ProcedureCalls& calls, const CodeShapes& shapes,
                             const Constructors& constructors)
    : flow_{flow}, calls_{calls}, shapes_{shapes}, constructors_{constructors} {
  const auto& procedures = flow.universe().procedures();
  this_held_.resize(procedures.size());
  for (ProcedureId id : calls.reached)
    this_held_[id.index()] = !procedures[id.index()].is_static && !calls.callers_of(id).empty();
  // Greatest fixed point.
  for (bool changed = true; changed;) {
    changed = false;
    for (ProcedureId id : calls.reached) {
      if (!this_held_[id.index()]) continue;
      const bool all = std::ranges::all_of(calls.callers_of(id), [&](const ProcedureCall& edge) {
        const Procedure& caller = procedures[edge.caller.index()];
        const Call& call = caller.calls[edge.call];
        if (!caller.code || !call.instruction || call.flavor == CallFlavor::Spawn) return false;
        const Instruction& instruction = caller.code->body.instructions[*call.instruction];
        const auto* invoke = std::get_if<Invoke>(&instruction.operation);
        if (invoke == nullptr || invoke->kind == InvokeKind::Static) return false;
        return is_held(edge.caller, caller.code->body.operands_of(instruction)[0], *call.instruction);
      });
      if (all) continue;
      this_held_[id.index()] = false;
      changed = true;
    }
  }
}

bool HeldReceivers::is_held(ProcedureId id, Register object, InstructionId at) const {
  const Procedure& procedure = flow_.universe().procedure(id);
  const MethodCode& code = *procedure.code;
  if (constructors_.is_this(id, object) && (code.body.synchronized || this_held_[id.index()])) return true;
  if (code.body.synchronized && code.body.is_static) {
    // The class object of the method, by a constant.
    const ObjectId own = flow_.universe().class_object(procedure.owner);
    const ObjectSet objects = objects_in_all_copies(flow_, calls_, id, object);
    if (objects.is_single() && objects.contains(own)) return true;
  }
  const CodeShape& shape = shapes_[id];
  const Block block = shape.block_of(at);
  const auto holds = [&](RegionId region) {
    return code.numbers[code.monitors.regions[region].object] == code.numbers[object];
  };
  bool held = std::ranges::any_of(code.monitors.held[block], holds);
  // Enters and exits in the block itself, before the instruction.
  for (RegionId region : code.monitors.regions.keys()) {
    if (!holds(region)) continue;
    const MonitorRegion& row = code.monitors.regions[region];
    if (shape.block_of(row.enter) == block && row.enter < at) held = true;
    for (InstructionId exit : row.exits)
      if (shape.block_of(exit) == block && exit < at) held = false;
  }
  return held;
}

}  // namespace lockwood::java
