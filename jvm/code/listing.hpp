#pragma once

#include <string>

#include "jvm/classfile/class_file.hpp"

namespace lockwood::jvm {

// The class as its file has it: members, instructions, exception tables, lines and names of locals, in the order of the
// file. What `javap -c -p -l` shows is here in nearly the same form, so that the two can be compared. Throws
// ClassFormatError.
[[nodiscard]] std::string listing(const ClassFile& file);

}  // namespace lockwood::jvm
