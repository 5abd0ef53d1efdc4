#pragma once

#include <string>

#include "jvm/code/code_reader.hpp"

namespace lockwood::jvm {

// The code for people: blocks, registers with the names of locals, source lines, handlers, monitor regions, notes. The
// same bytes for the same method.
[[nodiscard]] std::string to_text(const ClassFile& file, const Member& method, const MethodCode& code);

// One instruction, without its result: "getfield java/lang/Thread.name:Ljava/lang/String; r0".
[[nodiscard]] std::string to_text(const ClassFile& file, const MethodBody& body, const Instruction& instruction);

}  // namespace lockwood::jvm
