#include "frontend/java/facts/final_fields.hpp"

#include <algorithm>

namespace lockwood::java {
namespace {

using namespace jvm;

bool is_initialiser_of(const Procedure& procedure, const Field& field) {
  return procedure.owner == field.owner && procedure.name == (field.is_static ? "<clinit>" : "<init>");
}

Register base_of(const Procedure& procedure, const FieldWrite& write) {
  return procedure.code->body.operands_of(procedure.code->body.instructions[write.instruction]).front();
}

// In an initialiser of a class: code of the program may run before the instruction, and look at the field.
bool calls_before(const PointsTo& flow, const ProcedureCalls& calls, const CodeShapes& shapes, ProcedureId id,
                  InstructionId at) {
  const Procedure& procedure = flow.universe().procedure(id);
  return std::ranges::any_of(calls.calls_of(id), [&](const ProcedureCall& call) {
    const auto instruction = procedure.calls[call.call].instruction;
    const Procedure& callee = flow.universe().procedure(call.callee);
    // Models without calls run no code of the program.
    const bool harmless = !callee.code && callee.calls.empty();
    return instruction && !harmless && shapes[id].may_follow(*instruction, at);
  });
}

bool may_be_seen_before(const PointsTo& flow, const ProcedureCalls& calls, const CodeShapes& shapes,
                        const Constructors& constructors, const Field& field, const FieldWrite& write) {
  if (field.is_static) return calls_before(flow, calls, shapes, write.procedure, write.instruction);
  return !constructors.is_unseen_at(write.procedure, write.instruction);
}

bool is_write_of_this(const PointsTo& flow, const Constructors& constructors, const Field& field,
                      const FieldWrite& write) {
  const Procedure& procedure = flow.universe().procedure(write.procedure);
  if (!is_initialiser_of(procedure, field)) return false;
  return field.is_static || constructors.is_this(write.procedure, base_of(procedure, write));
}

}  // namespace

FieldWrites field_writes(const PointsTo& flow, const ProcedureCalls& calls) {
  FieldWrites writes;
  Universe& universe = flow.universe();
  for (ProcedureId id : calls.reached) {
    const Procedure& procedure = universe.procedure(id);
    if (!procedure.code) continue;
    const MethodBody& body = procedure.code->body;
    for (InstructionId at : body.instructions.keys()) {
      const Instruction& instruction = body.instructions[at];
      const auto operands = body.operands_of(instruction);
      if (const auto* put = std::get_if<PutField>(&instruction.operation))
        writes[universe.field(procedure.owner, put->field)].push_back({id, at, operands[1]});
      if (const auto* put = std::get_if<PutStatic>(&instruction.operation))
        writes[universe.field(procedure.owner, put->field)].push_back({id, at, operands[0]});
    }
  }
  return writes;
}

std::set<FieldKey> effectively_final_fields(const PointsTo& flow, const ProcedureCalls& calls, const CodeShapes& shapes,
                                            const Constructors& constructors, const FieldWrites& writes) {
  std::set<FieldKey> result;
  for (const auto& [key, list] : writes) {
    const Field& field = flow.universe().fields()[key];
    const bool good = std::ranges::all_of(list, [&, &list = list](const FieldWrite& write) {
      if (!is_write_of_this(flow, constructors, field, write)) return false;
      const CodeShape& shape = shapes[write.procedure];
      if (shape.in_loop(write.instruction)) return false;
      if (std::ranges::any_of(list, [&](const FieldWrite& other) {
            return other.procedure == write.procedure && other.instruction != write.instruction &&
                   shape.may_follow(write.instruction, other.instruction);
          }))
        return false;
      return !may_be_seen_before(flow, calls, shapes, constructors, field, write);
    });
    if (good) result.insert(key);
  }
  return result;
}

bool is_set_by_constructors(const PointsTo& flow, const ProcedureCalls& calls, const CodeShapes& shapes,
                            const Constructors& constructors, const FieldWrites& writes, FieldKey key) {
  const Field& field = flow.universe().fields()[key];
  const auto found = writes.find(key);
  if (found == writes.end()) return false;
  bool any = false;
  for (ProcedureId id : calls.reached) {
    const Procedure& procedure = flow.universe().procedure(id);
    if (!is_initialiser_of(procedure, field)) continue;
    any = true;
    if (!procedure.code) return false;
    if (constructors.delegates(id)) continue;
    const MethodBody& body = procedure.code->body;
    const bool set = std::ranges::any_of(found->second, [&](const FieldWrite& write) {
      if (write.procedure != id || !is_write_of_this(flow, constructors, field, write)) return false;
      if (may_be_seen_before(flow, calls, shapes, constructors, field, write)) return false;
      return std::ranges::all_of(body.instructions.keys(), [&](InstructionId at) {
        return !std::holds_alternative<Return>(body.instructions[at].operation) ||
               shapes[id].passes(write.instruction, at);
      });
    });
    if (!set) return false;
  }
  return any;
}

}  // namespace lockwood::java
