#pragma once

#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "jvm/classfile/class_file.hpp"

namespace lockwood::jvm {

// Annotations of classes, fields, methods and parameters [lindholm.21.jvm, Sect. 4.7.16].
struct Annotation;
struct ElementValue;

struct EnumConstant {
  std::string_view type;  // a descriptor
  std::string_view name;
};
struct ClassLiteral {
  std::string_view descriptor;  // V for void.class
};

struct ElementValue {
  // A constant (Integer, Long, Float, Double or Utf8), or one of the others.
  std::variant<ConstantIndex, EnumConstant, ClassLiteral, std::vector<Annotation>, std::vector<ElementValue>> value;
};

struct Annotation {
  std::string_view type;  // a descriptor
  std::vector<std::pair<std::string_view, ElementValue>> elements;
  bool visible = false;  // to the running program
};

// Those of the class, of one of its fields or methods, or of a record component. Throw ClassFormatError.
[[nodiscard]] std::vector<Annotation> annotations(const ClassFile& file, AttributeRange range);
[[nodiscard]] std::vector<Annotation> annotations(const ClassFile& file, std::span<const Attribute> attributes);
// By parameter. The compiler need not list all parameters of the descriptor.
[[nodiscard]] std::vector<std::vector<Annotation>> parameter_annotations(const ClassFile& file, const Member& method);

}  // namespace lockwood::jvm
