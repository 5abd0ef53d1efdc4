#include "jvm/classfile/descriptor.hpp"

#include <algorithm>
#include <cassert>

#include "jvm/classfile/modified_utf8.hpp"

namespace lockwood::jvm {
namespace {

constexpr std::size_t max_dimensions = 255;
constexpr std::size_t max_parameter_slots = 255;

// The length of the field descriptor that the text begins with; 0 if there is none.
std::size_t field_length(std::string_view text) {
  const std::size_t dimensions = std::min(text.find_first_not_of('['), text.size());
  if (dimensions == text.size() || dimensions > max_dimensions) return 0;
  if (primitive_by_letter(text[dimensions]) != nullptr) return dimensions + 1;
  if (text[dimensions] != 'L') return 0;
  const std::size_t end = text.find(';', dimensions);
  // A class has a name, and the name has none of the letters that end or separate names [lindholm.21.jvm, Sect. 4.2].
  if (end == std::string_view::npos || end == dimensions + 1) return 0;
  const std::string_view name = text.substr(dimensions + 1, end - dimensions - 1);
  if (name.find_first_of(".[") != std::string_view::npos) return 0;
  return end + 1;
}

// Calls `add` for each parameter, and returns what the method returns; an empty text if the descriptor is none.
template <class Add>
std::string_view parse_method(std::string_view text, const Add& add) {
  if (!text.starts_with('(')) return {};
  text.remove_prefix(1);
  std::size_t slots = 0;
  while (!text.empty() && text.front() != ')') {
    const std::size_t length = field_length(text);
    if (length == 0) return {};
    const FieldType parameter{text.substr(0, length)};
    slots += slots_of(parameter.value_type());
    if (slots > max_parameter_slots) return {};
    add(parameter);
    text.remove_prefix(length);
  }
  if (text.empty()) return {};
  text.remove_prefix(1);
  return text == "V" || (!text.empty() && field_length(text) == text.size()) ? text : std::string_view{};
}

}  // namespace

std::string_view to_string(ValueType type) {
  constexpr auto names = std::to_array<std::string_view>({"int", "long", "float", "double", "reference"});
  assert(static_cast<std::size_t>(type) < names.size());
  return names[static_cast<std::size_t>(type)];
}

const PrimitiveType* primitive_by_letter(char letter) {
  const auto* found = std::ranges::find(primitive_types, letter, &PrimitiveType::letter);
  return found == primitive_types.end() ? nullptr : found;
}

const PrimitiveType* primitive_by_array_code(std::uint8_t code) {
  const auto* found = std::ranges::find(primitive_types, code, &PrimitiveType::array_code);
  return found == primitive_types.end() ? nullptr : found;
}

ValueType FieldType::value_type() const {
  const PrimitiveType* primitive = primitive_by_letter(text.front());
  return primitive == nullptr ? ValueType::Reference : primitive->computed_as;
}

std::optional<std::string_view> FieldType::class_name() const {
  if (text.front() == '[') return text;
  if (text.front() == 'L') return text.substr(1, text.size() - 2);
  return std::nullopt;
}

std::size_t MethodType::parameter_slots() const {
  std::size_t slots = 0;
  for (const FieldType& parameter : parameters) slots += slots_of(parameter.value_type());
  return slots;
}

std::optional<FieldType> parse_field_descriptor(std::string_view descriptor) {
  const std::size_t length = field_length(descriptor);
  if (length == 0 || length != descriptor.size()) return std::nullopt;
  return FieldType{descriptor};
}

std::optional<MethodType> parse_method_descriptor(std::string_view descriptor) {
  MethodType type;
  const std::string_view result =
      parse_method(descriptor, [&](FieldType parameter) { type.parameters.push_back(parameter); });
  if (result.empty()) return std::nullopt;
  if (result != "V") type.result = FieldType{result};
  return type;
}

bool is_method_descriptor(std::string_view descriptor) {
  return !parse_method(descriptor, [](FieldType) {}).empty();
}

std::string java_name(FieldType type) {
  const std::size_t dimensions = type.dimensions();
  const std::string_view element = type.text.substr(dimensions);
  const PrimitiveType* primitive = primitive_by_letter(element.front());
  std::string name =
      primitive != nullptr ? std::string{primitive->name} : java_class_name(element.substr(1, element.size() - 2));
  for (std::size_t i = 0; i < dimensions; ++i) name += "[]";
  return name;
}

std::string java_class_name(std::string_view internal_name) {
  if (internal_name.starts_with('['))
    if (const auto type = parse_field_descriptor(internal_name)) return java_name(*type);
  std::string name = utf8_of(internal_name);
  std::ranges::replace(name, '/', '.');
  return name;
}

std::string java_parameters(std::string_view descriptor) {
  const auto type = parse_method_descriptor(descriptor);
  assert(type);
  std::string text = "(";
  for (const FieldType& parameter : type->parameters) text += (text.size() > 1 ? ", " : "") + java_name(parameter);
  return text + ")";
}

}  // namespace lockwood::jvm
