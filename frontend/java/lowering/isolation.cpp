#include "frontend/java/lowering/isolation.hpp"

namespace lockwood::java {

using namespace jvm;

Isolation::Isolation(const Facts& facts, LockTable& locks, Purpose purpose)
    : facts_{facts}, flow_{facts.flow}, locks_{locks}, purpose_{purpose} {
  const auto& procedures = flow_.universe().procedures();
  registers_.resize(procedures.size());
  parameters_.resize(procedures.size());
  results_.resize(procedures.size());
  for (std::size_t i = 0; i < procedures.size(); ++i) {
    parameters_[i].resize(procedures[i].parameters.size());
    if (procedures[i].code) registers_[i].resize(procedures[i].code->body.registers.size());
  }
  for (ProcedureId procedure : facts.calls.reached) begin(procedure);
  while (!worklist_.empty()) {
    const Value value = worklist_.back();
    worklist_.pop_back();
    follow(value);
  }
}

void Isolation::want(ProcedureId procedure, Register value) {
  const Procedure& code = flow_.universe().procedure(procedure);
  if (!code.code || !code.local_of[value] || registers_[procedure.index()][value]) return;
  registers_[procedure.index()][value] = true;
  worklist_.push_back({procedure, value});
}

// What callers pass. A model passes on its own parameters only.
void Isolation::want_parameter(ProcedureId procedure, std::size_t number) {
  if (parameters_[procedure.index()][number]) return;
  parameters_[procedure.index()][number] = true;
  for (const ProcedureCall& call : facts_.calls.callers_of(procedure)) {
    const Procedure& caller = flow_.universe().procedure(call.caller);
    const Call& made = caller.calls[call.call];
    if (number >= made.arguments.size() || !made.arguments[number]) continue;
    if (caller.code && made.instruction) {
      const MethodBody& body = caller.code->body;
      for (Register operand : body.operands_of(body.instructions[*made.instruction]))
        if (caller.local_of[operand] == made.arguments[number]) want(call.caller, operand);
    } else {
      for (std::size_t i = 0; i < caller.parameters.size(); ++i)
        if (caller.parameters[i] == made.arguments[number]) want_parameter(call.caller, i);
    }
  }
}

void Isolation::want_result(ProcedureId procedure) {
  if (results_[procedure.index()]) return;
  results_[procedure.index()] = true;
  const Procedure& callee = flow_.universe().procedure(procedure);
  if (!callee.code) return;
  const MethodBody& body = callee.code->body;
  for (const Instruction& instruction : body.instructions)
    if (std::holds_alternative<Return>(instruction.operation))
      for (Register operand : body.operands_of(instruction)) want(procedure, operand);
}

void Isolation::begin(ProcedureId id) {
  const Procedure& procedure = flow_.universe().procedure(id);
  if (!procedure.code) {
    // Events of models are about their parameters, or about what they load.
    for (const ModelEvent& event : procedure.events) {
      if (purpose_ == Purpose::Deadlocks && std::holds_alternative<library::StateAccess>(event.effect->kind)) continue;
      for (std::size_t i = 0; i < procedure.parameters.size(); ++i)
        if (event.object && procedure.parameters[i] == event.object) want_parameter(id, i);
    }
    return;
  }
  const MethodBody& body = procedure.code->body;
  if (body.synchronized && !procedure.is_static) want_parameter(id, 0);
  for (const LockRegion& region : locks_.regions(id).regions) {
    const auto loaded = locks_.final_field(id, region.locked);
    if (loaded) want(id, loaded->base);
    if (!region.locked.is_owner && !(loaded && purpose_ == Purpose::Accesses)) want(id, region.locked.value);
  }
  if (purpose_ == Purpose::Deadlocks) return;
  for (const Instruction& instruction : body.instructions) {
    const Operation& operation = instruction.operation;
    if (std::holds_alternative<GetField>(operation) || std::holds_alternative<PutField>(operation) ||
        std::holds_alternative<ArrayLoad>(operation) || std::holds_alternative<ArrayStore>(operation))
      want(id, body.operands_of(instruction).front());
  }
}

void Isolation::follow(const Value& value) {
  const Procedure& procedure = flow_.universe().procedure(value.procedure);
  const MethodBody& body = procedure.code->body;
  const InstructionId at = body.registers[value.value].definition;
  const Instruction& definition = body.instructions[at];
  if (std::holds_alternative<Phi>(definition.operation) || std::holds_alternative<Cast>(definition.operation)) {
    for (Register operand : body.operands_of(definition)) want(value.procedure, operand);
  } else if (const auto* parameter = std::get_if<Parameter>(&definition.operation)) {
    want_parameter(value.procedure, parameter->number);
  } else if (std::holds_alternative<Invoke>(definition.operation)) {
    for (const ProcedureCall& call : facts_.calls.calls_at(flow_.universe(), value.procedure, at))
      want_result(call.callee);
  }
}

}  // namespace lockwood::java
