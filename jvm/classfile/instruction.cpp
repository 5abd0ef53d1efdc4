#include "jvm/classfile/instruction.hpp"

#include <cassert>

#include "jvm/classfile/descriptor.hpp"

namespace lockwood::jvm {
namespace {

std::uint32_t checked_target(ByteReader& reader, std::size_t from, std::int64_t relative) {
  const std::int64_t target = static_cast<std::int64_t>(from) + relative;
  if (target < 0 || target >= static_cast<std::int64_t>(reader.whole().size()))
    throw MalformedBytes{from, "the target " + std::to_string(target) + " is outside of the code"};
  return static_cast<std::uint32_t>(target);
}

// The operands of a switch begin at a multiple of four in the code [lindholm.21.jvm, Sect. 6.5.tableswitch].
void skip_padding(ByteReader& reader) { reader.skip((4 - reader.position() % 4) % 4); }

// Calls back with each case, in the order of the code, and returns the default target.
template <class OnCase>
std::uint32_t read_switch(ByteReader& reader, std::size_t from, Opcode opcode, const OnCase& on_case) {
  skip_padding(reader);
  const std::uint32_t otherwise = checked_target(reader, from, reader.s4());
  if (opcode == Opcode::Tableswitch) {
    const std::int64_t low = reader.s4();
    const std::int64_t high = reader.s4();
    if (low > high) throw MalformedBytes{from, "the least case of the switch is greater than the greatest"};
    reader.checked(static_cast<std::size_t>(high - low + 1), 4, "cases of a switch");
    for (std::int64_t match = low; match <= high; ++match)
      on_case(static_cast<std::int32_t>(match), checked_target(reader, from, reader.s4()));
    return otherwise;
  }
  assert(opcode == Opcode::Lookupswitch);
  const std::int64_t count = reader.s4();
  if (count < 0) throw MalformedBytes{from, "a switch has a negative number of cases"};
  reader.checked(static_cast<std::size_t>(count), 8, "cases of a switch");
  std::optional<std::int32_t> before;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int32_t match = reader.s4();
    if (before && *before >= match) throw MalformedBytes{from, "the cases of the switch are not in ascending order"};
    before = match;
    on_case(match, checked_target(reader, from, reader.s4()));
  }
  return otherwise;
}

// iload_0 … aload_3 and istore_0 … astore_3: four for each of five types.
std::optional<std::uint16_t> implied_local(Opcode opcode) {
  for (const Opcode first : {Opcode::Iload0, Opcode::Istore0})
    if (opcode >= first && distance(first, opcode) < 20) return static_cast<std::uint16_t>(distance(first, opcode) % 4);
  return std::nullopt;
}

void read_operands(ByteReader& reader, BytecodeInstruction& instruction);

void read_wide(ByteReader& reader, BytecodeInstruction& instruction) {
  const auto opcode = opcode_of(reader.u1());
  if (!opcode || (layout_of(*opcode).format != OperandFormat::Local && *opcode != Opcode::Iinc))
    reader.fail("wide is followed by an instruction that cannot be wide");
  instruction.opcode = *opcode;
  instruction.wide = true;
  read_operands(reader, instruction);
}

void read_operands(ByteReader& reader, BytecodeInstruction& instruction) {
  const auto local = [&]() -> std::uint16_t { return instruction.wide ? reader.u2() : reader.u1(); };
  const auto branch = [&](std::int32_t relative) {
    checked_target(reader, instruction.offset, relative);
    instruction.value = relative;
  };
  switch (layout_of(instruction.opcode).format) {
    case OperandFormat::None: break;
    case OperandFormat::SignedByte: instruction.value = static_cast<std::int8_t>(reader.u1()); break;
    case OperandFormat::SignedShort: instruction.value = static_cast<std::int16_t>(reader.u2()); break;
    case OperandFormat::Local: instruction.local = local(); break;
    case OperandFormat::Increment:
      instruction.local = local();
      instruction.value = instruction.wide ? static_cast<std::int16_t>(reader.u2())
                                           : static_cast<std::int16_t>(static_cast<std::int8_t>(reader.u1()));
      break;
    case OperandFormat::Constant1: instruction.constant = reader.u1(); break;
    case OperandFormat::Constant2: instruction.constant = reader.u2(); break;
    case OperandFormat::Branch2: branch(static_cast<std::int16_t>(reader.u2())); break;
    case OperandFormat::Branch4: branch(reader.s4()); break;
    case OperandFormat::TableSwitch:
    case OperandFormat::LookupSwitch:
      read_switch(reader, instruction.offset, instruction.opcode, [](std::int32_t, std::uint32_t) {});
      break;
    case OperandFormat::InvokeInterface:
      instruction.constant = reader.u2();
      instruction.count = reader.u1();
      reader.skip(1);
      break;
    case OperandFormat::InvokeDynamic:
      instruction.constant = reader.u2();
      reader.skip(2);
      break;
    case OperandFormat::ArrayType:
      instruction.value = reader.u1();
      if (primitive_by_array_code(static_cast<std::uint8_t>(instruction.value)) == nullptr)
        throw MalformedBytes{instruction.offset,
                             "newarray has the unknown element type " + std::to_string(instruction.value)};
      break;
    case OperandFormat::MultiArray:
      instruction.constant = reader.u2();
      instruction.count = reader.u1();
      if (instruction.count == 0) throw MalformedBytes{instruction.offset, "an array has no dimension"};
      break;
    case OperandFormat::Wide: read_wide(reader, instruction); break;
  }
}

}  // namespace

BytecodeInstruction decode_instruction(Bytes code, std::size_t offset) {
  assert(offset < code.size());
  ByteReader reader{code, offset, code.size()};
  const std::uint8_t byte = reader.u1();
  const auto opcode = opcode_of(byte);
  if (!opcode) throw MalformedBytes{offset, "byte " + std::to_string(byte) + " is not an instruction"};
  BytecodeInstruction instruction{.offset = static_cast<std::uint32_t>(offset), .opcode = *opcode};
  read_operands(reader, instruction);
  if (const auto local = implied_local(instruction.opcode)) instruction.local = *local;
  instruction.length = static_cast<std::uint32_t>(reader.position() - offset);
  assert(instruction.length > 0 && instruction.end() <= code.size());
  return instruction;
}

std::vector<BytecodeInstruction> decode_instructions(Bytes code) {
  std::vector<BytecodeInstruction> instructions;
  instructions.reserve(code.size() / 2);
  for (std::size_t offset = 0; offset < code.size(); offset = instructions.back().end())
    instructions.push_back(decode_instruction(code, offset));
  return instructions;
}

SwitchTable decode_switch(Bytes code, const BytecodeInstruction& instruction) {
  assert(layout_of(instruction.opcode).flow == Flow::Switch);
  ByteReader reader{code, instruction.offset + std::size_t{1}, code.size()};
  SwitchTable table;
  table.otherwise =
      read_switch(reader, instruction.offset, instruction.opcode, [&](std::int32_t match, std::uint32_t target) {
        table.cases.push_back({match, target});
      });
  assert(reader.position() == instruction.end());
  return table;
}

}  // namespace lockwood::jvm
