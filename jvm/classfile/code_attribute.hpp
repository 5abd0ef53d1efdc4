#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "jvm/classfile/class_file.hpp"
#include "jvm/classfile/instruction.hpp"

namespace lockwood::jvm {

// A row of the exception table. Offsets are checked: begin < end <= code size, target < code size.
struct ExceptionHandler {
  std::uint16_t begin;                // of the range that is protected
  std::uint32_t end;                  // one past it; a method may end with a protected range
  std::uint16_t target;               // of the handler
  std::optional<ConstantIndex> type;  // nothing: any exception
};

struct LineNumber {
  std::uint16_t begin;  // offset in the code
  std::uint16_t line;
};

// A local variable of the source: the local `slot` has this name from `begin` to before `end`.
struct LocalVariable {
  std::uint16_t begin;
  std::uint32_t end;
  std::string_view name;
  std::string_view descriptor;
  std::uint16_t slot;
};

// The code of a method, with its tables. Instructions are still bytes: decode_instructions.
struct CodeAttribute {
  std::uint16_t max_stack = 0;
  std::uint16_t max_locals = 0;
  Bytes code;
  std::size_t begin = 0;  // of the code in the class file
  std::vector<ExceptionHandler> handlers;
  std::vector<LineNumber> lines;  // in the order of the class file
  std::vector<LocalVariable> locals;
};

// Nothing if the method is abstract or native. Throws ClassFormatError.
[[nodiscard]] std::optional<CodeAttribute> read_code(const ClassFile& file, const Member& method);

// The instructions of the code of the method. Throws ClassFormatError.
[[nodiscard]] std::vector<BytecodeInstruction> instructions_of(const ClassFile& file, const Member& method,
                                                               const CodeAttribute& code);

}  // namespace lockwood::jvm
