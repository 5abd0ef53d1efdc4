#include "frontend/java/pointsto/implicit_throws.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace lockwood::java {
namespace {

using namespace jvm;

bool is_this(const MethodBody& body, Register value) {
  const Instruction& definition = body.instructions[body.registers[value].definition];
  const auto* parameter = std::get_if<Parameter>(&definition.operation);
  return parameter != nullptr && parameter->number == 0 && !body.is_static;
}

}  // namespace

std::size_t ImplicitThrows::size() const { return static_cast<std::size_t>(std::popcount(bits_)); }

std::optional<Register> dereferenced(const MethodBody& body, const Instruction& instruction) {
  const Operation& operation = instruction.operation;
  const auto* invoke = std::get_if<Invoke>(&operation);
  const bool wants_object =
      std::holds_alternative<GetField>(operation) || std::holds_alternative<PutField>(operation) ||
      std::holds_alternative<ArrayLoad>(operation) || std::holds_alternative<ArrayStore>(operation) ||
      std::holds_alternative<ArrayLength>(operation) || std::holds_alternative<MonitorEnter>(operation) ||
      std::holds_alternative<MonitorExit>(operation) || std::holds_alternative<Throw>(operation) ||
      (invoke != nullptr && invoke->kind != InvokeKind::Static);
  if (!wants_object) return std::nullopt;
  assert(instruction.operand_count > 0);
  return body.operands_of(instruction).front();
}

ImplicitThrows implicit_throws(const MethodCode& code, InstructionId id) {
  const MethodBody& body = code.body;
  const Instruction& instruction = body.instructions[id];
  const Operation& operation = instruction.operation;
  ImplicitThrows result;
  if (std::holds_alternative<MonitorExit>(operation)) {
    // Its object was entered, so it is not null; whether it is held, the regions know.
    if (std::ranges::find(code.monitors.throwing_exits, id) != code.monitors.throwing_exits.end())
      result.insert(ImplicitThrow::Monitor);
    return result;
  }
  if (const auto object = dereferenced(body, instruction); object && !is_this(body, *object))
    result.insert(ImplicitThrow::Null);
  if (std::holds_alternative<ArrayLoad>(operation)) result.insert(ImplicitThrow::Bounds);
  if (const auto* store = std::get_if<ArrayStore>(&operation)) {
    result.insert(ImplicitThrow::Bounds);
    if (store->opcode == Opcode::Aastore) result.insert(ImplicitThrow::ArrayStore);
  }
  if (std::holds_alternative<Cast>(operation)) result.insert(ImplicitThrow::Cast);
  if (std::holds_alternative<Arithmetic>(operation) && may_throw(operation)) result.insert(ImplicitThrow::Division);
  if (std::holds_alternative<NewPrimitiveArray>(operation) || std::holds_alternative<NewReferenceArray>(operation) ||
      std::holds_alternative<NewMultiArray>(operation))
    result.insert(ImplicitThrow::NegativeSize);
  return result;
}

}  // namespace lockwood::java
