#pragma once

#include <string>
#include <string_view>

#include "jvm/classfile/constant_pool.hpp"

namespace lockwood::jvm {

// A constant for people, kind first, as javap prints it: "Method java/lang/Object.<init>:()V", "String a\nb", "int 7",
// "long -1l". Throws MalformedBytes if there is no such constant.
[[nodiscard]] std::string constant_text(const ConstantPool& constants, ConstantIndex index);

// "java/lang/Object.<init>:()V".
[[nodiscard]] std::string member_text(const MemberRef& member);

// Java's own way to write what cannot be in a string literal.
[[nodiscard]] std::string escaped(std::string_view modified_utf8);

// The shortest decimal number that is read back as this one; "NaN" and "Infinity" as in Java.
[[nodiscard]] std::string number_text(float number);
[[nodiscard]] std::string number_text(double number);

[[nodiscard]] std::string_view to_string(HandleKind kind);

// At most so many bytes of a text, whole characters, and "..." where something is left out; and nothing that a terminal
// cannot show. A name may have 65,535 bytes, and each instruction may name it: without a limit the dump of a small
// class could fill the memory.
[[nodiscard]] std::string shown(std::string text, std::size_t longest);

}  // namespace lockwood::jvm
