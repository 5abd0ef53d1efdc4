#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockwood::jvm {

// What the machine computes with: booleans, bytes, chars and shorts are ints there.
enum class ValueType : std::uint8_t { Int, Long, Float, Double, Reference };

[[nodiscard]] std::string_view to_string(ValueType type);
// Slots of the operand stack and of the locals that such a value takes.
[[nodiscard]] constexpr std::size_t slots_of(ValueType type) {
  return type == ValueType::Long || type == ValueType::Double ? 2 : 1;
}

// The types that are no references, by their letters in descriptors [lindholm.21.jvm, Table 4.3-A] and their codes in
// newarray [lindholm.21.jvm, Table 6.5.newarray-A].
struct PrimitiveType {
  char letter;
  std::string_view name;
  ValueType computed_as;
  std::uint8_t array_code;
};

inline constexpr auto primitive_types = std::to_array<PrimitiveType>({
    {'Z', "boolean", ValueType::Int, 4},
    {'C', "char", ValueType::Int, 5},
    {'F', "float", ValueType::Float, 6},
    {'D', "double", ValueType::Double, 7},
    {'B', "byte", ValueType::Int, 8},
    {'S', "short", ValueType::Int, 9},
    {'I', "int", ValueType::Int, 10},
    {'J', "long", ValueType::Long, 11},
});

[[nodiscard]] const PrimitiveType* primitive_by_letter(char letter);
[[nodiscard]] const PrimitiveType* primitive_by_array_code(std::uint8_t code);

// A type as descriptors have it. `text` is the descriptor itself, such as I, [[J or Ljava/lang/String;.
struct FieldType {
  std::string_view text;
  [[nodiscard]] ValueType value_type() const;
  [[nodiscard]] std::size_t dimensions() const { return text.find_first_not_of('['); }
  [[nodiscard]] bool is_array() const { return text.front() == '['; }
  // Of a reference: the name by which constants name its class: java/lang/String, or [I for an array. Nothing for
  // others.
  [[nodiscard]] std::optional<std::string_view> class_name() const;
  friend bool operator==(const FieldType&, const FieldType&) = default;
};

struct MethodType {
  std::vector<FieldType> parameters;
  std::optional<FieldType> result;  // nothing for void
  // Slots of all parameters, without the receiver.
  [[nodiscard]] std::size_t parameter_slots() const;
};

// Nothing if the text is no descriptor of that kind: an array has at most 255 dimensions, and the parameters of a
// method take at most 255 slots.
[[nodiscard]] std::optional<FieldType> parse_field_descriptor(std::string_view descriptor);
[[nodiscard]] std::optional<MethodType> parse_method_descriptor(std::string_view descriptor);
[[nodiscard]] bool is_method_descriptor(std::string_view descriptor);

// For people: "int[]", "java.lang.String".
[[nodiscard]] std::string java_name(FieldType type);
// "java.lang.String" for java/lang/String, "int[]" for [I.
[[nodiscard]] std::string java_class_name(std::string_view internal_name);
// "(int, java.lang.String)". Requires a descriptor of a method.
[[nodiscard]] std::string java_parameters(std::string_view descriptor);

}  // namespace lockwood::jvm
