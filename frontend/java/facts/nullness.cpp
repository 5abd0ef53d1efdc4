#include "frontend/java/facts/nullness.hpp"

#include <algorithm>
#include <cassert>

namespace lockwood::java {

using namespace jvm;

Nullness::Nullness(const PointsTo& flow, const ProcedureCalls& calls, const CodeShapes& shapes,
                   const Constructors& constructors, const FieldWrites& writes, StopToken stop)
    : flow_{flow}, calls_{calls}, shapes_{shapes}, writes_{writes} {
  prepare();
  const auto& fields = flow.universe().fields();
  for (FieldKey key : fields.keys()) {
    const auto& initial = fields[key].initial;
    const bool constant = initial && flow.universe().objects()[*initial].kind != ObjectKind::Unknown;
    fields_[key.index()] = (constant && !writes.contains(key)) ||
                           (!initial && is_set_by_constructors(flow, calls, shapes, constructors, writes, key));
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (ProcedureId id : calls.reached) {
      stop.check();
      changed = update(id) || changed;
    }
    for (const auto& [key, list] : writes) {
      if (!fields_[key.index()]) continue;
      const bool all = std::ranges::all_of(list, [&](const FieldWrite& write) {
        const auto& body = flow_.universe().procedure(write.procedure).code->body;
        return body.registers[write.value].type != ValueType::Reference ||
               is_not_null(write.procedure, write.value, write.instruction);
      });
      if (all) continue;
      fields_[key.index()] = false;
      changed = true;
    }
  }
}

// Everything is not null.
void Nullness::prepare() {
  const auto& procedures = flow_.universe().procedures();
  checks_.resize(procedures.size());
  registers_.resize(procedures.size());
  parameters_.resize(procedures.size());
  results_.assign(procedures.size(), true);
  fields_.resize(flow_.universe().fields().size());
  for (std::size_t i = 0; i < procedures.size(); ++i) {
    parameters_[i].assign(procedures[i].parameters.size(), true);
    if (!procedures[i].code || calls_.copies[i].empty()) continue;
    registers_[i] = IdVector<Register, bool>(procedures[i].code->body.registers.size(), true);
    checks_[i] = std::make_unique<NullChecks>(*procedures[i].code, shapes_[ProcedureId{i}]);
  }
}

bool Nullness::is_not_null(ProcedureId id, Register value, InstructionId at) const {
  assert(checks_[id.index()]);
  return registers_[id.index()][value] || checks_[id.index()]->is_checked(value, at);
}

// Whether something changed.
bool Nullness::update(ProcedureId id) {
  bool changed = false;
  const Procedure& procedure = flow_.universe().procedure(id);
  auto& parameters = parameters_[id.index()];
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (!parameters[i] || (i == 0 && !procedure.is_static)) continue;
    const bool all =
        std::ranges::all_of(calls_.callers_of(id), [&](const ProcedureCall& call) { return passes(call, i); });
    if (!all) {
      parameters[i] = false;
      changed = true;
    }
  }
  if (procedure.code) {
    auto& registers = registers_[id.index()];
    const MethodBody& body = procedure.code->body;
    for (InstructionId at : body.instructions.keys()) {
      const auto result = body.instructions[at].result;
      if (!result || body.registers[*result].type != ValueType::Reference || !registers[*result]) continue;
      if (computed(id, at)) continue;
      registers[*result] = false;
      changed = true;
    }
  }
  if (results_[id.index()] && !computed_result(id)) {
    results_[id.index()] = false;
    changed = true;
  }
  return changed;
}

// What the instruction computes is not null, by what is known so far.
bool Nullness::computed(ProcedureId id, InstructionId at) const {
  const Procedure& procedure = flow_.universe().procedure(id);
  const MethodBody& body = procedure.code->body;
  const Instruction& instruction = body.instructions[at];
  const auto operands = body.operands_of(instruction);
  if (const auto* parameter = std::get_if<Parameter>(&instruction.operation))
    return parameters_[id.index()][parameter->number];
  if (const auto* constant = std::get_if<Constant>(&instruction.operation))
    return !std::holds_alternative<NullConstant>(constant->value);
  if (const auto* get = std::get_if<GetField>(&instruction.operation))
    return is_set(id, flow_.universe().field(procedure.owner, get->field), at);
  if (const auto* get = std::get_if<GetStatic>(&instruction.operation))
    return is_set(id, flow_.universe().field(procedure.owner, get->field), at);
  if (std::holds_alternative<Cast>(instruction.operation)) return is_not_null(id, operands[0], at);
  if (std::holds_alternative<ArrayLoad>(instruction.operation)) return false;
  if (std::holds_alternative<Invoke>(instruction.operation)) return callee_results(id, at);
  if (const auto* dynamic = std::get_if<InvokeDynamic>(&instruction.operation)) {
    const auto& effect = body.dynamic_calls[dynamic->call].effect;
    return !std::holds_alternative<UnknownDynamicCall>(effect);
  }
  if (!std::holds_alternative<Phi>(instruction.operation)) return true;  // new objects and caught ones
  const auto& predecessors = body.blocks[shapes_[id].block_of(at)].predecessors;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const InstructionId last{body.blocks[predecessors[i]].end.index() - 1};
    // What the last instruction of a predecessor finds out does not hold on its exceptional edges; the register does.
    const bool normal = body.blocks[predecessors[i]].handlers.empty();
    if (!(normal ? is_not_null(id, operands[i], last) : registers_[id.index()][operands[i]])) return false;
  }
  return true;
}

// A constructor may look at its own field before it has set it.
bool Nullness::is_set(ProcedureId id, FieldKey key, InstructionId at) const {
  if (!fields_[key.index()]) return false;
  const Procedure& procedure = flow_.universe().procedure(id);
  const Field& field = flow_.universe().fields()[key];
  const auto writes = writes_.find(key);
  if (writes == writes_.end() || procedure.owner != field.owner ||
      procedure.name != (field.is_static ? "<clinit>" : "<init>"))
    return true;
  return std::ranges::any_of(writes->second, [&](const FieldWrite& write) {
    if (write.procedure != id || !shapes_[id].passes(write.instruction, at)) return false;
    if (field.is_static) return true;
    const MethodCode& code = *procedure.code;
    const auto base = [&](InstructionId access) {
      return code.numbers[code.body.operands_of(code.body.instructions[access]).front()];
    };
    return base(write.instruction) == base(at);
  });
}

bool Nullness::callee_results(ProcedureId id, InstructionId at) const {
  return std::ranges::all_of(calls_.calls_at(flow_.universe(), id, at),
                             [&](const ProcedureCall& call) { return results_[call.callee.index()]; });
}

namespace {

// The last effect returns an object that the model has made, and no effect before it returns anything.
bool returns_new(const library::Effects& effects) {
  if (effects.empty()) return false;
  const auto* result = std::get_if<library::ReturnValue>(&effects.back().kind);
  const auto* local = result == nullptr ? nullptr : std::get_if<library::LocalValue>(&result->value.root);
  if (local == nullptr || !result->value.path.empty()) return false;
  bool made = false;
  for (std::size_t i = 0; i + 1 < effects.size(); ++i) {
    const auto* allocation = std::get_if<library::Allocation>(&effects[i].kind);
    made = made || (allocation != nullptr && allocation->local == local->local);
    if (allocation == nullptr && !std::holds_alternative<library::FieldStore>(effects[i].kind)) return false;
  }
  return made;
}

}  // namespace

bool Nullness::computed_result(ProcedureId id) const {
  const Procedure& procedure = flow_.universe().procedure(id);
  if (!procedure.result) return true;
  if (const auto* model = std::get_if<ModelOrigin>(&procedure.origin))
    return model->model->never_null || returns_new(model->model->effects);
  if (const auto* reflection = std::get_if<ReflectionOrigin>(&procedure.origin))
    return reflection->kind != ReflectionKind::Invoke && reflection->kind != ReflectionKind::EnumConstants;
  if (std::holds_alternative<UnmodelledOrigin>(procedure.origin)) return false;
  if (std::holds_alternative<LambdaOrigin>(procedure.origin))
    return std::ranges::all_of(calls_.calls_of(id), [&](const ProcedureCall& call) {
      // A constructor returns nothing, and the lambda returns the new object.
      return !flow_.universe().procedure(call.callee).result || results_[call.callee.index()];
    });
  if (!procedure.code) return false;  // native
  const MethodBody& body = procedure.code->body;
  return std::ranges::all_of(body.instructions.keys(), [&](InstructionId at) {
    const Instruction& instruction = body.instructions[at];
    return !std::holds_alternative<Return>(instruction.operation) || instruction.operand_count == 0 ||
           is_not_null(id, body.operands_of(instruction)[0], at);
  });
}

// The call passes a value that is not null for this parameter of the callee.
bool Nullness::passes(const ProcedureCall& edge, std::size_t parameter) const {
  const Procedure& caller = flow_.universe().procedure(edge.caller);
  const Call& call = caller.calls[edge.call];
  if (call.spread) return false;
  if (const auto* lambda = std::get_if<LambdaOrigin>(&caller.origin)) {
    const AllocationSite& site = flow_.universe().sites()[lambda->site];
    const Procedure& maker = flow_.universe().procedure(site.procedure);
    const auto& body = maker.code->body;
    const auto captured = body.operands_of(body.instructions[site.instruction.value()]);
    // In front of the captured values a new object may stand, of which the constructor is called.
    const std::size_t own = caller.parameters.size() - 1;
    assert(call.arguments.size() >= captured.size() + own);
    const std::size_t made = call.arguments.size() - captured.size() - own;
    if (parameter < made) return true;
    const std::size_t index = parameter - made;
    if (index >= captured.size()) return parameters_[edge.caller.index()][index - captured.size() + 1];
    return body.registers[captured[index]].type != ValueType::Reference ||
           is_not_null(site.procedure, captured[index], *site.instruction);
  }
  if (!caller.code || !call.instruction) return false;
  const MethodBody& body = caller.code->body;
  const Instruction& instruction = body.instructions[*call.instruction];
  // Calls that a concatenation makes have no arguments but the receiver.
  if (!std::holds_alternative<Invoke>(instruction.operation)) return false;
  const auto operands = body.operands_of(instruction);
  if (parameter >= operands.size()) return false;
  return body.registers[operands[parameter]].type != ValueType::Reference ||
         is_not_null(edge.caller, operands[parameter], *call.instruction);
}

}  // namespace lockwood::java
