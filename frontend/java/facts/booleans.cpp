#include "frontend/java/facts/booleans.hpp"

#include <algorithm>

#include "frontend/java/facts/value_checks.hpp"
#include "jvm/classfile/descriptor.hpp"

namespace lockwood::java {
namespace {

using namespace jvm;

bool is_boolean_field(const ClassFile& file, ConstantIndex field) {
  return file.constants.member(field).descriptor == "Z";
}

// By its definition alone the value is 0 or 1; phis hang on their operands.
bool is_boolean(const Procedure& procedure, const ClassFile& file, const Instruction& instruction,
                const IdVector<Register, bool>& known) {
  const MethodBody& body = procedure.code->body;
  if (const auto* parameter = std::get_if<Parameter>(&instruction.operation)) {
    const auto type = parse_method_descriptor(procedure.descriptor);
    const std::size_t index = parameter->number - (procedure.is_static ? 0 : 1);
    return index < type->parameters.size() && type->parameters[index].text == "Z";
  }
  if (std::holds_alternative<Constant>(instruction.operation)) {
    const auto number = constant_number(body, *instruction.result);
    return number && (*number == 0 || *number == 1);
  }
  if (const auto* get = std::get_if<GetField>(&instruction.operation)) return is_boolean_field(file, get->field);
  if (const auto* get = std::get_if<GetStatic>(&instruction.operation)) return is_boolean_field(file, get->field);
  if (const auto* invoke = std::get_if<Invoke>(&instruction.operation))
    return file.constants.member(invoke->method).descriptor.ends_with(")Z");
  if (std::holds_alternative<InstanceOf>(instruction.operation)) return true;
  if (!std::holds_alternative<Phi>(instruction.operation)) return false;
  return std::ranges::all_of(body.operands_of(instruction), [&](Register operand) { return known[operand]; });
}

class Tracking {
 public:
  Tracking(const PointsTo& flow, const ProcedureCalls& calls) : flow_{flow}, calls_{calls} {}

  TrackedBooleans run() {
    const auto& procedures = flow_.universe().procedures();
    booleans_.resize(procedures.size());
    result_.registers.resize(procedures.size());
    result_.parameters.resize(procedures.size());
    result_.results.resize(procedures.size());
    for (ProcedureId id : calls_.reached)
      if (procedures[id.index()].code) find_booleans(id);
    for (bool changed = true; changed;) {
      changed = false;
      for (ProcedureId id : calls_.reached)
        if (procedures[id.index()].code) changed = find_tested(id) || changed;
    }
    return std::move(result_);
  }

 private:
  // Greatest fixed point over phis.
  void find_booleans(ProcedureId id) {
    const Procedure& procedure = flow_.universe().procedure(id);
    const ClassFile& file = *flow_.universe().hierarchy().file(procedure.owner);
    const MethodBody& body = procedure.code->body;
    auto& known = booleans_[id.index()];
    known = IdVector<Register, bool>(body.registers.size(), true);
    for (Register value : body.registers.keys()) known[value] = body.registers[value].type == ValueType::Int;
    for (bool changed = true; changed;) {
      changed = false;
      for (Register value : body.registers.keys()) {
        if (!known[value] || is_boolean(procedure, file, body.instructions[body.registers[value].definition], known))
          continue;
        known[value] = false;
        changed = true;
      }
    }
    result_.registers[id.index()] = IdVector<Register, bool>(body.registers.size());
    result_.parameters[id.index()].resize(procedure.parameters.size());
  }

  // Backwards: what is tested, and what becomes it.
  bool find_tested(ProcedureId id) {
    const Procedure& procedure = flow_.universe().procedure(id);
    const MethodBody& body = procedure.code->body;
    auto& tracked = result_.registers[id.index()];
    bool changed = false;
    const auto track = [&](Register value) {
      if (tracked[value] || !booleans_[id.index()][value]) return;
      tracked[value] = true;
      changed = true;
    };
    for (InstructionId at : body.instructions.keys()) {
      const Instruction& instruction = body.instructions[at];
      const auto operands = body.operands_of(instruction);
      if (std::holds_alternative<Branch>(instruction.operation))
        for (Register operand : operands)
          if (body.registers[operand].type == ValueType::Int) track(operand);
      if (std::holds_alternative<Phi>(instruction.operation) && tracked[*instruction.result])
        for (Register operand : operands) track(operand);
      if (std::holds_alternative<Return>(instruction.operation) && !operands.empty() && result_.results[id.index()] &&
          body.registers[operands[0]].type == ValueType::Int)
        track(operands[0]);
      if (const auto* parameter = std::get_if<Parameter>(&instruction.operation);
          parameter != nullptr && tracked[*instruction.result] && !result_.parameters[id.index()][parameter->number]) {
        result_.parameters[id.index()][parameter->number] = true;
        changed = true;
      }
    }
    for (const ProcedureCall& edge : calls_.calls_of(id)) {
      const auto at = procedure.calls[edge.call].instruction;
      const Procedure& callee = flow_.universe().procedure(edge.callee);
      if (!at || !callee.code || !std::holds_alternative<Invoke>(body.instructions[*at].operation)) continue;
      const auto operands = body.operands_of(body.instructions[*at]);
      const auto& parameters = result_.parameters[edge.callee.index()];
      for (std::size_t i = 0; i < operands.size() && i < parameters.size(); ++i)
        if (parameters[i]) track(operands[i]);
      const auto result = body.instructions[*at].result;
      if (result && tracked[*result] && !result_.results[edge.callee.index()]) {
        result_.results[edge.callee.index()] = true;
        changed = true;
      }
    }
    return changed;
  }

  const PointsTo& flow_;
  const ProcedureCalls& calls_;
  TrackedBooleans result_;
  std::vector<IdVector<Register, bool>> booleans_;
};

}  // namespace

TrackedBooleans tracked_booleans(const PointsTo& flow, const ProcedureCalls& calls) {
  return Tracking{flow, calls}.run();
}

}  // namespace lockwood::java
