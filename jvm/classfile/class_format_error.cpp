#include "jvm/classfile/class_format_error.hpp"

#include "base/text/printable.hpp"

namespace lockwood::jvm {
namespace {

std::string described(const ClassLocation& location, std::string_view message) {
  std::string text;
  if (!location.class_name.empty()) text += "class " + shown_name(location.class_name) + ": ";
  if (!location.method.empty()) text += "method " + shown_name(location.method) + ": ";
  text += message;
  if (location.bytecode) text += " (at bytecode offset " + std::to_string(*location.bytecode) + ")";
  if (location.byte) text += " (at byte " + std::to_string(*location.byte) + ")";
  return text;
}

}  // namespace

ClassFormatError::ClassFormatError(ClassLocation location, std::string_view message)
    : InputError{location.origin, described(location, message)}, location_{std::move(location)} {}

}  // namespace lockwood::jvm
