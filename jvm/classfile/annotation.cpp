#include "jvm/classfile/annotation.hpp"

#include <cassert>

namespace lockwood::jvm {
namespace {

// Values nest. Each level takes three bytes only, so a hostile class could nest them until our stack is full.
constexpr std::size_t max_depth = 100;

Annotation read_annotation(const ConstantPool& constants, ByteReader& reader, std::size_t depth);

std::string_view utf8(const ConstantPool& constants, ByteReader& reader) {
  return constants.utf8(ConstantIndex{reader.u2()});
}

// The tag of a constant value, by the letter of its type [lindholm.21.jvm, Table 4.7.16.1-A].
std::optional<ConstantTag> constant_tag(char letter) {
  switch (letter) {
    case 'B':
    case 'C':
    case 'I':
    case 'S':
    case 'Z': return ConstantTag::Integer;
    case 'D': return ConstantTag::Double;
    case 'F': return ConstantTag::Float;
    case 'J': return ConstantTag::Long;
    case 's': return ConstantTag::Utf8;
    default: return std::nullopt;
  }
}

ElementValue read_element_value(const ConstantPool& constants, ByteReader& reader, std::size_t depth) {
  if (depth > max_depth) reader.fail("annotations are nested more than " + std::to_string(max_depth) + " deep");
  const std::size_t at = reader.position();
  const char letter = static_cast<char>(reader.u1());
  if (const auto tag = constant_tag(letter)) {
    const ConstantIndex constant{reader.u2()};
    if (constants.tag(constant) != tag) throw MalformedBytes{at, "a value of an annotation has the wrong constant"};
    return {constant};
  }
  switch (letter) {
    case 'e': {
      const std::string_view type = utf8(constants, reader);
      return {EnumConstant{type, utf8(constants, reader)}};
    }
    case 'c': return {ClassLiteral{utf8(constants, reader)}};
    case '@': {
      std::vector<Annotation> one;
      one.push_back(read_annotation(constants, reader, depth + 1));
      return {std::move(one)};
    }
    case '[': {
      std::vector<ElementValue> values;
      const std::size_t count = reader.count_u2(3, "values of an annotation");
      for (std::size_t i = 0; i < count; ++i) values.push_back(read_element_value(constants, reader, depth + 1));
      return {std::move(values)};
    }
    default: throw MalformedBytes{at, "a value of an annotation has an unknown type"};
  }
}

Annotation read_annotation(const ConstantPool& constants, ByteReader& reader, std::size_t depth) {
  Annotation annotation{.type = utf8(constants, reader), .elements = {}};
  const std::size_t count = reader.count_u2(5, "elements of an annotation");
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view name = utf8(constants, reader);
    annotation.elements.emplace_back(name, read_element_value(constants, reader, depth + 1));
  }
  return annotation;
}

void append(const ConstantPool& constants, ByteReader& reader, bool visible, std::vector<Annotation>& annotations) {
  const std::size_t count = reader.count_u2(4, "annotations");
  for (std::size_t i = 0; i < count; ++i) {
    annotations.push_back(read_annotation(constants, reader, 0));
    annotations.back().visible = visible;
  }
}

}  // namespace

std::vector<Annotation> annotations(const ClassFile& file, AttributeRange range) {
  return annotations(file, attributes_of(file, range));
}

std::vector<Annotation> annotations(const ClassFile& file, std::span<const Attribute> attributes) {
  return with_location(file, nullptr, [&] {
    std::vector<Annotation> result;
    for (const Attribute& attribute : attributes) {
      const bool visible = attribute.kind == AttributeKind::RuntimeVisibleAnnotations;
      if (!visible && attribute.kind != AttributeKind::RuntimeInvisibleAnnotations) continue;
      ByteReader reader = reader_of(file, attribute);
      append(file.constants, reader, visible, result);
      reader.require_end(layout_of(attribute.kind).name);
    }
    return result;
  });
}

std::vector<std::vector<Annotation>> parameter_annotations(const ClassFile& file, const Member& method) {
  return with_location(file, &method, [&] {
    std::vector<std::vector<Annotation>> result;
    for (const Attribute& attribute : attributes_of(file, method.attributes)) {
      const bool visible = attribute.kind == AttributeKind::RuntimeVisibleParameterAnnotations;
      if (!visible && attribute.kind != AttributeKind::RuntimeInvisibleParameterAnnotations) continue;
      ByteReader reader = reader_of(file, attribute);
      const std::size_t parameters = reader.checked(reader.u1(), 2, "parameters");
      if (result.size() < parameters) result.resize(parameters);
      for (std::size_t i = 0; i < parameters; ++i) append(file.constants, reader, visible, result[i]);
      reader.require_end(layout_of(attribute.kind).name);
    }
    return result;
  });
}

}  // namespace lockwood::jvm
