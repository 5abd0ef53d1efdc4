#include "frontend/java/facts/value_checks.hpp"

#include <algorithm>

#include "frontend/java/pointsto/implicit_throws.hpp"

namespace lockwood::java {

using namespace jvm;

namespace {

// The block that the branch leads to if its condition holds (or does not), if no other edge leads there.
std::optional<Block> own_successor(const MethodBody& body, Block block, bool holds) {
  const Block target = body.blocks[block].successors[holds ? 0 : 1];
  if (body.blocks[block].successors[0] == body.blocks[block].successors[1]) return std::nullopt;
  if (body.blocks[target].predecessors.size() != 1) return std::nullopt;
  return target;
}

}  // namespace

NullChecks::NullChecks(const MethodCode& code, const CodeShape& shape) : code_{code}, shape_{shape} {
  for (Block block : code.body.blocks.keys())
    for (InstructionId id : code.body.instructions_of(block)) {
      const Instruction& instruction = code.body.instructions[id];
      if (const auto object = dereferenced(code.body, instruction)) dereferences_[code.numbers[*object]].push_back(id);
      if (std::holds_alternative<jvm::Branch>(instruction.operation)) add_branch(instruction, block);
    }
}

void NullChecks::add_branch(const Instruction& instruction, Block block) {
  const MethodBody& body = code_.body;
  const Opcode opcode = std::get<jvm::Branch>(instruction.operation).opcode;
  const auto operands = body.operands_of(instruction);
  const auto add = [&](Register value, bool holds) {
    if (const auto into = own_successor(body, block, holds)) branches_[code_.numbers[value]].push_back({block, *into});
  };
  if (opcode == Opcode::Ifnonnull) add(operands[0], true);
  if (opcode == Opcode::Ifnull) add(operands[0], false);
  if (opcode != Opcode::Ifeq && opcode != Opcode::Ifne) return;
  const Instruction& test = body.instructions[body.registers[operands[0]].definition];
  if (std::holds_alternative<InstanceOf>(test.operation)) add(body.operands_of(test)[0], opcode == Opcode::Ifne);
}

bool NullChecks::is_checked(Register value, InstructionId at) const {
  const ValueNumber number = code_.numbers[value];
  if (const auto found = dereferences_.find(number); found != dereferences_.end())
    if (std::ranges::any_of(found->second, [&](InstructionId id) { return shape_.passes(id, at); })) return true;
  const auto found = branches_.find(number);
  return found != branches_.end() && std::ranges::any_of(found->second, [&](const Branch& branch) {
           return shape_.dominates(branch.into, shape_.block_of(at));
         });
}

std::optional<std::int64_t> constant_number(const MethodBody& body, Register value) {
  const Instruction& definition = body.instructions[body.registers[value].definition];
  const auto* constant = std::get_if<Constant>(&definition.operation);
  if (constant == nullptr) return std::nullopt;
  if (const auto* number = std::get_if<std::int32_t>(&constant->value)) return *number;
  if (const auto* number = std::get_if<std::int64_t>(&constant->value)) return *number;
  return std::nullopt;
}

bool is_never_negative(const MethodBody& body, Register value) {
  if (const auto number = constant_number(body, value)) return *number >= 0;
  const Instruction& definition = body.instructions[body.registers[value].definition];
  if (std::holds_alternative<ArrayLength>(definition.operation)) return true;
  if (!std::holds_alternative<Phi>(definition.operation)) return false;
  // A counter: constants from outside, itself plus a constant from inside. It cannot wrap around where it is tested
  // against a length before it grows, and only there does its sign matter.
  const auto operands = body.operands_of(definition);
  return std::ranges::all_of(operands, [&](Register operand) {
    if (operand == value) return true;
    if (const auto number = constant_number(body, operand)) return *number >= 0;
    const Instruction& step = body.instructions[body.registers[operand].definition];
    const auto* arithmetic = std::get_if<Arithmetic>(&step.operation);
    if (arithmetic == nullptr || arithmetic->opcode != Opcode::Iadd) return false;
    const auto summands = body.operands_of(step);
    const auto grows = [&](Register counter, Register by) {
      const auto number = constant_number(body, by);
      return counter == value && number && *number >= 0;
    };
    return grows(summands[0], summands[1]) || grows(summands[1], summands[0]);
  });
}

std::vector<Register> greater_registers(const MethodBody& body, const CodeShape& shape, Register index,
                                        InstructionId at) {
  std::vector<Register> greater;
  // Up the tree of dominators: each block on it that ends with a branch.
  Block below = shape.block_of(at);
  while (below.index() != 0) {
    const Block block = body.immediate_dominators[below];
    const Instruction& last = body.instructions[InstructionId{body.blocks[block].end.index() - 1}];
    if (const auto* branch = std::get_if<jvm::Branch>(&last.operation); branch != nullptr && last.operand_count == 2) {
      const auto operands = body.operands_of(last);
      const auto consider = [&](Opcode opcode, bool holds, Register less, Register more) {
        if (branch->opcode != opcode || less != index) return;
        const auto into = own_successor(body, block, holds);
        if (into && shape.dominates(*into, shape.block_of(at))) greater.push_back(more);
      };
      consider(Opcode::IfIcmplt, true, operands[0], operands[1]);
      consider(Opcode::IfIcmpge, false, operands[0], operands[1]);
      consider(Opcode::IfIcmpgt, true, operands[1], operands[0]);
      consider(Opcode::IfIcmple, false, operands[1], operands[0]);
    }
    below = block;
  }
  return greater;
}

}  // namespace lockwood::java
