#include "jvm/code/constant_text.hpp"

#include <array>
#include <cassert>
#include <charconv>
#include <cmath>

#include "base/text/printable.hpp"
#include "jvm/classfile/modified_utf8.hpp"

namespace lockwood::jvm {
namespace {

template <class Number>
std::string shortest(Number number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number < 0 ? "-Infinity" : "Infinity";
  std::array<char, 64> digits{};
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  assert(error == std::errc{});
  std::string text{digits.data(), end};
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string hexadecimal(unsigned unit) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text = "\\u";
  for (unsigned shift = 16; shift > 0; shift -= 4) text += digits[unit >> (shift - 4) & 0xFU];
  return text;
}

}  // namespace

std::string number_text(float number) { return shortest(number); }
std::string number_text(double number) { return shortest(number); }

std::string_view to_string(HandleKind kind) {
  constexpr auto names = std::to_array<std::string_view>(
      {"REF_getField", "REF_getStatic", "REF_putField", "REF_putStatic", "REF_invokeVirtual", "REF_invokeStatic",
       "REF_invokeSpecial", "REF_newInvokeSpecial", "REF_invokeInterface"});
  const auto index = static_cast<std::size_t>(kind);
  assert(index >= 1 && index <= names.size());
  return names[index - 1];
}

std::string escaped(std::string_view modified_utf8) {
  const std::string plain = utf8_of(modified_utf8);
  std::string text;
  text.reserve(plain.size());
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const auto byte = static_cast<unsigned char>(plain[i]);
    switch (byte) {
      case '\t': text += "\\t"; continue;
      case '\n': text += "\\n"; continue;
      case '\r': text += "\\r"; continue;
      case '\b': text += "\\b"; continue;
      case '\f': text += "\\f"; continue;
      case '"': text += "\\\""; continue;
      case '\'': text += "\\'"; continue;
      case '\\': text += "\\\\"; continue;
      default: break;
    }
    // Control characters: U+0000 to U+001F, U+007F, and U+0080 to U+009F, which are two bytes in UTF-8.
    const bool second_half = byte == 0xC2U && i + 1 < plain.size() && static_cast<unsigned char>(plain[i + 1]) < 0xA0U;
    if (byte < 0x20U || byte == 0x7FU) {
      text += hexadecimal(byte);
    } else if (second_half) {
      text += hexadecimal(static_cast<unsigned char>(plain[++i]));
    } else {
      text += plain[i];
    }
  }
  return text;
}

std::string shown(std::string text, std::size_t longest) {
  if (text.size() > longest) {
    std::size_t end = longest;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
    text = text.substr(0, end) + "...";
  }
  return printable(text);
}

std::string member_text(const MemberRef& member) {
  return utf8_of(member.owner) + '.' + utf8_of(member.name) + ':' + utf8_of(member.descriptor);
}

std::string constant_text(const ConstantPool& constants, ConstantIndex index) {
  const auto tag = constants.tag(index);
  if (!tag) return "nothing";
  switch (*tag) {
    case ConstantTag::Utf8: return "Utf8 " + escaped(constants.utf8(index));
    case ConstantTag::Integer: return "int " + std::to_string(constants.integer(index));
    case ConstantTag::Float: return "float " + number_text(constants.float_number(index)) + 'f';
    case ConstantTag::Long: return "long " + std::to_string(constants.long_integer(index)) + 'l';
    case ConstantTag::Double: return "double " + number_text(constants.double_number(index)) + 'd';
    case ConstantTag::Class: return "class " + utf8_of(constants.class_name(index));
    case ConstantTag::String: return "String " + escaped(constants.string(index));
    case ConstantTag::Field: return "Field " + member_text(constants.member(index));
    case ConstantTag::Method: return "Method " + member_text(constants.member(index));
    case ConstantTag::InterfaceMethod: return "InterfaceMethod " + member_text(constants.member(index));
    case ConstantTag::NameAndType: {
      const NameAndType both = constants.name_and_type(index);
      return "NameAndType " + utf8_of(both.name) + ':' + utf8_of(both.descriptor);
    }
    case ConstantTag::MethodHandle: {
      const MethodHandle handle = constants.method_handle(index);
      return "MethodHandle " + std::string{to_string(handle.kind)} + ' ' + member_text(handle.member);
    }
    case ConstantTag::MethodType: return "MethodType " + utf8_of(constants.method_type(index));
    case ConstantTag::Dynamic:
    case ConstantTag::InvokeDynamic: {
      const DynamicRef dynamic = constants.dynamic(index);
      return (*tag == ConstantTag::Dynamic ? "Dynamic #" : "InvokeDynamic #") + std::to_string(dynamic.bootstrap) +
             ':' + utf8_of(dynamic.name_and_type.name) + ':' + utf8_of(dynamic.name_and_type.descriptor);
    }
    case ConstantTag::Module: return "Module " + utf8_of(constants.module_name(index));
    case ConstantTag::Package: return "Package " + utf8_of(constants.package_name(index));
  }
  return "nothing";
}

}  // namespace lockwood::jvm
