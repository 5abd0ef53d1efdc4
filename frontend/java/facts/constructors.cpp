#include "frontend/java/facts/constructors.hpp"

#include <algorithm>

namespace lockwood::java {
namespace {

using namespace jvm;

// `this` is a base of the instruction only.
bool is_base_only(const Operation& operation, std::size_t operand) {
  return operand == 0 &&
         (std::holds_alternative<GetField>(operation) || std::holds_alternative<PutField>(operation) ||
          std::holds_alternative<MonitorEnter>(operation) || std::holds_alternative<MonitorExit>(operation));
}

bool only_tests(const Operation& operation) {
  return std::holds_alternative<Branch>(operation) || std::holds_alternative<InstanceOf>(operation) ||
         std::holds_alternative<Cast>(operation);
}

// A model that neither calls nor stores anything does not show its receiver to anybody.
bool is_quiet_model(const Procedure& procedure) {
  if (!std::holds_alternative<ModelOrigin>(procedure.origin)) return false;
  if (!procedure.calls.empty() || procedure.parameters.empty()) return false;
  return std::ranges::none_of(procedure.statements, [&](const Statement& statement) {
    if (const auto* store = std::get_if<StoreField>(&statement)) return store->from == procedure.parameters.front();
    if (const auto* store = std::get_if<StoreStatic>(&statement)) return store->from == procedure.parameters.front();
    return false;
  });
}

}  // namespace

Constructors::Constructors(const PointsTo& flow, const ProcedureCalls& calls, const CodeShapes& shapes)
    : flow_{flow}, calls_{calls}, shapes_{shapes} {
  const auto& procedures = flow.universe().procedures();
  quiet_.resize(procedures.size());
  delegates_.resize(procedures.size());
  leaks_.resize(procedures.size());
  // Greatest fixed point: constructors are quiet until one of them leaks.
  for (ProcedureId id : calls.reached) {
    const Procedure& procedure = procedures[id.index()];
    quiet_[id.index()] = procedure.name == "<init>" && (procedure.code ? true : is_quiet_model(procedure));
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (ProcedureId id : calls.reached) {
      const Procedure& procedure = procedures[id.index()];
      if (!procedure.code || procedure.is_static) continue;
      leaks_[id.index()] = find_leaks(id);
      if (!quiet_[id.index()] || leaks_[id.index()].empty()) continue;
      quiet_[id.index()] = false;
      changed = true;
    }
  }
  for (ProcedureId id : calls.reached) {
    const Procedure& procedure = procedures[id.index()];
    if (procedure.name != "<init>" || !procedure.code) continue;
    delegates_[id.index()] = std::ranges::any_of(procedure.calls, [&](const Call& call) {
      return call.name == "<init>" && call.owner == procedure.owner && call.instruction &&
             is_this(id, procedure.code->body.operands_of(procedure.code->body.instructions[*call.instruction])[0]);
    });
  }
}

bool Constructors::is_this(ProcedureId id, Register value) const {
  const Procedure& procedure = flow_.universe().procedure(id);
  if (procedure.is_static) return false;
  // `this` is the first register: the entry block defines parameters first.
  const auto& numbers = procedure.code->numbers;
  for (InstructionId entry : procedure.code->body.instructions_of(Block{0})) {
    const Instruction& instruction = procedure.code->body.instructions[entry];
    const auto* parameter = std::get_if<Parameter>(&instruction.operation);
    if (parameter != nullptr && parameter->number == 0) return numbers[*instruction.result] == numbers[value];
  }
  return false;
}

std::vector<InstructionId> Constructors::find_leaks(ProcedureId id) const {
  const Procedure& procedure = flow_.universe().procedure(id);
  const MethodBody& body = procedure.code->body;
  std::vector<InstructionId> leaks;
  for (InstructionId at : body.instructions.keys()) {
    const Instruction& instruction = body.instructions[at];
    const auto operands = body.operands_of(instruction);
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (body.registers[operands[i]].type != ValueType::Reference || !is_this(id, operands[i])) continue;
      if (is_base_only(instruction.operation, i) || only_tests(instruction.operation)) continue;
      if (std::holds_alternative<Phi>(instruction.operation)) continue;  // what becomes of it is equal to `this` or not
      bool quiet = i == 0 && std::holds_alternative<Invoke>(instruction.operation);
      if (quiet)
        for (const ProcedureCall& call : calls_.calls_at(flow_.universe(), id, at))
          quiet = quiet && quiet_[call.callee.index()];
      if (!quiet) leaks.push_back(at);
    }
    // A phi that may be `this` and something else is not followed.
    if (std::holds_alternative<Phi>(instruction.operation) && instruction.result && !is_this(id, *instruction.result) &&
        std::ranges::any_of(operands, [&](Register operand) {
          return body.registers[operand].type == ValueType::Reference && is_this(id, operand);
        }))
      leaks.push_back(at);
  }
  return leaks;
}

bool Constructors::is_unseen_at(ProcedureId id, InstructionId at) const {
  return std::ranges::none_of(leaks_[id.index()], [&](InstructionId leak) { return shapes_[id].may_follow(leak, at); });
}

}  // namespace lockwood::java
