#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "jvm/classfile/class_file.hpp"
#include "jvm/classfile/descriptor.hpp"
#include "jvm/classfile/opcode.hpp"
#include "jvm/code/dynamic_call.hpp"

namespace lockwood::jvm {

// The code of a method in SSA form: each register is written by one instruction. The slots of the operand stack and the
// locals of the machine are gone, and with them all copies between them.
using Register = Id<struct RegisterTag>;
using Block = Id<struct BlockTag>;
using InstructionId = Id<struct InstructionTag>;
using SwitchId = Id<struct SwitchTag>;
using DynamicCallId = Id<struct DynamicCallTag>;

// What an instruction does. Its operands are registers, in the order of the machine's stack from below: the receiver of
// a call, then the arguments. Constants are indices of the class file's pool.
struct Parameter {  // `this` is number 0 of a method that is not static
  std::uint32_t number;
};
struct Phi {};  // one operand for each predecessor of the block, in their order
struct NullConstant {};
struct ReturnAddress {};  // of a subroutine; nobody can look at it
struct Constant {
  // A ConstantIndex is a String, Class, MethodHandle, MethodType, or Dynamic constant.
  std::variant<NullConstant, ReturnAddress, std::int32_t, std::int64_t, float, double, ConstantIndex> value;
};
struct Arithmetic {  // conversions, too
  Opcode opcode;
};
struct Compare {  // lcmp, fcmpl, …
  Opcode opcode;
};
struct Branch {  // the first successor if the condition of the opcode holds, else the second
  Opcode opcode;
};
struct Jump {};
struct Switch {
  SwitchId targets;
};
struct New {
  ConstantIndex type;
};
struct NewPrimitiveArray {
  std::uint8_t array_code;  // as in primitive_types
};
struct NewReferenceArray {
  ConstantIndex component;
};
struct NewMultiArray {  // one operand for each dimension that is made
  ConstantIndex type;
};
struct GetField {
  ConstantIndex field;
};
struct PutField {
  ConstantIndex field;
};
struct GetStatic {
  ConstantIndex field;
};
struct PutStatic {
  ConstantIndex field;
};
struct ArrayLoad {
  Opcode opcode;
};
struct ArrayStore {
  Opcode opcode;
};
struct ArrayLength {};
struct Cast {
  ConstantIndex type;
};
struct InstanceOf {
  ConstantIndex type;
};
enum class InvokeKind : std::uint8_t { Virtual, Special, Static, Interface };
struct Invoke {
  InvokeKind kind;
  ConstantIndex method;
};
struct InvokeDynamic {
  DynamicCallId call;
};
struct MonitorEnter {};
struct MonitorExit {};
struct Throw {};
struct Catch {                        // the first instruction of a block that exceptional edges lead to
  std::optional<ConstantIndex> type;  // nothing: any exception
};
struct Return {};

using Operation =
    std::variant<Parameter, Phi, Constant, Arithmetic, Compare, Branch, Jump, Switch, New, NewPrimitiveArray,
                 NewReferenceArray, NewMultiArray, GetField, PutField, GetStatic, PutStatic, ArrayLoad, ArrayStore,
                 ArrayLength, Cast, InstanceOf, Invoke, InvokeDynamic, MonitorEnter, MonitorExit, Throw, Catch, Return>;

struct Instruction {
  Operation operation;
  std::uint32_t offset = 0;  // in the bytecode; of phis, catches and parameters: where their block begins
  std::optional<std::uint16_t> line;
  std::optional<Register> result;
  std::uint32_t first_operand = 0;
  std::uint32_t operand_count = 0;
};

// Instructions without a branch between them. The last one is a Branch, Jump, Switch, Throw or Return.
//
// An exception of any instruction of a block leads to its handlers: the blocks that begin with Catch, in the order of
// the exception table, up to the first that surely matches. Exceptional edges leave from *before* the instruction that
// throws. A block with handlers has no instruction that throws after one that changes a local of the machine, so all
// its instructions that throw have the same locals.
struct BasicBlock {
  InstructionId begin{0};
  InstructionId end{0};  // one past the last
  std::uint32_t offset = 0;
  std::vector<Block> predecessors;   // distinct, normal or exceptional
  std::vector<Block> successors;     // normal ones
  std::vector<Block> handlers;       // empty if nothing in the block throws
  bool throws = false;               // some instruction may throw an exception
  bool leaves_by_exception = false;  // and no handler surely takes it
};

struct SwitchTargets {
  std::vector<std::pair<std::int32_t, Block>> cases;
  Block otherwise;
};

struct RegisterInfo {
  ValueType type = ValueType::Int;
  InstructionId definition{0};
  std::string_view name;  // of a local variable of the source that holds it; empty if there is none
};

// Invariants (check_invariants): the entry is block 0 and has no predecessors; blocks are in reverse postorder; each
// register is defined before it is used on every way; phis come first in their block and have as many operands as it
// has predecessors.
struct MethodBody {
  IdVector<Block, BasicBlock> blocks;
  IdVector<InstructionId, Instruction> instructions;  // block by block
  std::vector<Register> operands;
  IdVector<Register, RegisterInfo> registers;
  IdVector<SwitchId, SwitchTargets> switches;
  IdVector<DynamicCallId, DynamicCall> dynamic_calls;
  IdVector<Block, Block> immediate_dominators;  // of the entry: itself
  bool synchronized = false;
  bool is_static = false;

  [[nodiscard]] std::span<const Register> operands_of(const Instruction& instruction) const {
    return std::span{operands}.subspan(instruction.first_operand, instruction.operand_count);
  }
  [[nodiscard]] IdRange<InstructionId> instructions_of(Block block) const {
    return {blocks[block].begin.index(), blocks[block].end.index()};
  }
};

// May throw an exception that is not an Error (opcode_layouts). A monitorexit does not count: whether it throws depends
// on the monitors that are held.
[[nodiscard]] bool may_throw(const Operation& operation);

// Asserts the invariants above, in debug builds.
void check_invariants(const MethodBody& body);

}  // namespace lockwood::jvm
