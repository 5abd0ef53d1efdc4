#include "jvm/code/method_body.hpp"

#include <algorithm>
#include <cassert>

namespace lockwood::jvm {
namespace {

template <class... Kinds>
bool is_one_of(const Operation& operation) {
  return (std::holds_alternative<Kinds>(operation) || ...);
}

}  // namespace

bool may_throw(const Operation& operation) {
  if (const auto* arithmetic = std::get_if<Arithmetic>(&operation))
    return layout_of(arithmetic->opcode).throws_exception;
  return is_one_of<NewPrimitiveArray, NewReferenceArray, NewMultiArray, GetField, PutField, ArrayLoad, ArrayStore,
                   ArrayLength, Cast, Invoke, InvokeDynamic, MonitorEnter, Throw>(operation);
}

void check_invariants(const MethodBody& body) {
  assert(!body.blocks.empty() && body.blocks[Block{0}].predecessors.empty());
  [[maybe_unused]] const auto dominates = [&](Block above, Block below) {
    while (below > above) below = body.immediate_dominators[below];
    return above == below;
  };
  [[maybe_unused]] IdVector<Register, std::optional<Block>> block_of(body.registers.size());
  for (Block block : body.blocks.keys())
    for (InstructionId id : body.instructions_of(block))
      if (const auto result = body.instructions[id].result) {
        assert(body.registers[*result].definition == id && !block_of[*result]);
        block_of[*result] = block;
      }
  for (Block block : body.blocks.keys()) {
    [[maybe_unused]] const BasicBlock& basic = body.blocks[block];
    assert(basic.begin < basic.end);
    assert(block.index() == 0 || body.immediate_dominators[block] < block);
    [[maybe_unused]] bool phis_are_over = false;
    for (InstructionId id : body.instructions_of(block)) {
      const Instruction& instruction = body.instructions[id];
      [[maybe_unused]] const bool is_last = id.index() + 1 == basic.end.index();
      assert(is_last == (is_one_of<Branch, Jump, Switch, Throw, Return>(instruction.operation)));
      const bool is_phi = std::holds_alternative<Phi>(instruction.operation);
      assert(!is_phi || !phis_are_over);
      assert(!is_phi || instruction.operand_count == basic.predecessors.size());
      phis_are_over = !is_phi;
      for (std::size_t i = 0; i < instruction.operand_count; ++i) {
        [[maybe_unused]] const Register operand = body.operands_of(instruction)[i];
        [[maybe_unused]] const auto from = block_of[operand];
        assert(from);
        assert(is_phi ? dominates(*from, basic.predecessors[i])
                      : (*from == block ? body.registers[operand].definition < id : dominates(*from, block)));
      }
    }
    for ([[maybe_unused]] Block successor : basic.successors)
      assert(std::ranges::count(body.blocks[successor].predecessors, block) == 1);
    for ([[maybe_unused]] Block handler : basic.handlers) {
      assert(std::ranges::count(body.blocks[handler].predecessors, block) == 1);
      assert(basic.throws);
    }
  }
}

}  // namespace lockwood::jvm
