#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "jvm/classfile/byte_reader.hpp"
#include "jvm/classfile/constant_pool.hpp"
#include "jvm/classfile/opcode.hpp"

namespace lockwood::jvm {

// One instruction of the code of a method. Which members mean something depends on the format of the opcode
// (opcode.hpp); the others are zero. Instructions such as aload_2 have their local here, too.
struct BytecodeInstruction {
  std::uint32_t offset = 0;
  std::uint32_t length = 0;
  Opcode opcode = Opcode::Nop;
  bool wide = false;           // wide is part of the instruction that it makes wide
  std::uint8_t count = 0;      // dimensions, or slots of arguments of invokeinterface
  std::uint16_t local = 0;     // a local
  std::uint16_t constant = 0;  // a constant
  std::int32_t value = 0;      // a number, the code of a primitive type, or a relative offset
  [[nodiscard]] std::uint32_t end() const { return offset + length; }
  [[nodiscard]] ConstantIndex constant_index() const { return ConstantIndex{constant}; }
  // Of a branch. Checked: it is inside of the code, though not yet that an instruction begins there.
  [[nodiscard]] std::uint32_t target() const {
    return static_cast<std::uint32_t>(static_cast<std::int64_t>(offset) + value);
  }
};

// The targets of a switch, as offsets in the code.
struct SwitchTable {
  struct Case {
    std::int32_t match;
    std::uint32_t target;
  };
  std::vector<Case> cases;  // in ascending order of what is matched
  std::uint32_t otherwise = 0;
};

// The instruction at the offset. Throws MalformedBytes, whose offset counts from the beginning of the code, if there is
// none: an unknown opcode, operands beyond the end, a target outside of the code, a switch with disordered cases.
[[nodiscard]] BytecodeInstruction decode_instruction(Bytes code, std::size_t offset);
// All instructions in order.
[[nodiscard]] std::vector<BytecodeInstruction> decode_instructions(Bytes code);
// Requires a switch that decode_instruction returned.
[[nodiscard]] SwitchTable decode_switch(Bytes code, const BytecodeInstruction& instruction);

}  // namespace lockwood::jvm
