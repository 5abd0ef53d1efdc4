#pragma once

#include <cassert>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "jvm/classfile/code_attribute.hpp"
#include "jvm/code/control_flow.hpp"
#include "jvm/code/method_body.hpp"

namespace lockwood::jvm {

// A slot of the operand stack or a local of the machine, together with the type of what is in it: a local that is an
// int first and a reference later is two variables, since no correct code reads the one after it has written the other.
using Variable = Id<struct VariableTag>;
// A register before its final number is known.
using Temporary = Id<struct TemporaryTag>;

// An operand of a block that is not renamed yet: a register that the block itself makes, or what a variable holds when
// the block is entered.
class Source {
 public:
  constexpr explicit Source(Temporary temporary) : bits_{static_cast<std::uint32_t>(temporary.index()) << 1U} {}
  constexpr explicit Source(Variable variable) : bits_{static_cast<std::uint32_t>(variable.index()) << 1U | 1U} {}
  [[nodiscard]] constexpr bool is_variable() const { return (bits_ & 1U) != 0; }
  [[nodiscard]] constexpr Variable variable() const {
    assert(is_variable());
    return Variable{bits_ >> 1U};
  }
  [[nodiscard]] constexpr Temporary temporary() const {
    assert(!is_variable());
    return Temporary{bits_ >> 1U};
  }
  friend constexpr bool operator==(Source, Source) = default;

 private:
  std::uint32_t bits_;
};

struct TranslatedInstruction {
  Operation operation;
  std::uint32_t offset;
  std::optional<Temporary> result;
  std::uint32_t first_operand;
  std::uint32_t operand_count;
};

struct TranslatedBlock {
  std::uint32_t first = 0;  // instructions
  std::uint32_t last = 0;   // one past them
  // What variables hold at the end of the block, where that is not what they hold at its beginning. In the order of
  // variables.
  std::vector<std::pair<Variable, Source>> definitions;
};

// The blocks of a method with the operand stack taken away inside of each block. What is left are variables between
// blocks, which ssa_form.hpp renames.
struct Translation {
  struct TemporaryInfo {
    ValueType type;
    std::string_view name;  // of a local of the source
  };
  struct VariableInfo {
    ValueType type;
    std::optional<std::uint16_t> local;  // nothing: a slot of the operand stack
  };
  IdVector<Block, TranslatedBlock> blocks;
  std::vector<TranslatedInstruction> instructions;
  std::vector<Source> operands;
  IdVector<Temporary, TemporaryInfo> temporaries;
  IdVector<Variable, VariableInfo> variables;
  IdVector<SwitchId, SwitchTargets> switches;
  IdVector<DynamicCallId, DynamicCall> dynamic_calls;
};

// Names of locals by slot and offset.
class LocalNames {
 public:
  explicit LocalNames(const CodeAttribute& code);
  // The name of the local at the offset; empty if the compiler did not say.
  [[nodiscard]] std::string_view name(std::uint16_t slot, std::uint32_t offset) const;

 private:
  std::vector<LocalVariable> sorted_;  // by slot and beginning
};

struct TranslationInput {
  const ClassFile& file;
  const Member& method;
  const CodeAttribute& code;
  const std::vector<BytecodeInstruction>& instructions;
  const std::vector<std::uint32_t>& index_at;
  const std::vector<BootstrapMethod>& bootstraps;
  const ControlFlow& flow;
  const std::vector<FlowNode>& order;         // the nodes in reverse postorder: block i is order[i]
  const IdVector<FlowNode, Block>& block_of;  // and back
  const LocalNames& names;
};

// Slots of the operand stack at all beginnings of blocks together: a hostile method could have millions.
inline constexpr std::size_t max_stack_shapes = 4'000'000;

// Throws MalformedBytes, whose offset is in the code, if the code is not well-typed: the stack is too low or too high,
// has another type than an instruction wants, or differs between the ways to a block; constants have the wrong kind.
[[nodiscard]] Translation translate(const TranslationInput& input);

}  // namespace lockwood::jvm
