#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace lockwood::jvm {

// The attributes that are read. Others are skipped by their length.
enum class AttributeKind : std::uint8_t {
  Code,
  ConstantValue,
  Exceptions,
  LineNumberTable,
  LocalVariableTable,
  SourceFile,
  BootstrapMethods,
  InnerClasses,
  EnclosingMethod,
  NestHost,
  NestMembers,
  Record,
  RuntimeVisibleAnnotations,
  RuntimeInvisibleAnnotations,
  RuntimeVisibleParameterAnnotations,
  RuntimeInvisibleParameterAnnotations,
  Module,
  ModuleMainClass,
};

// What has attributes. One that is in another place than its own is skipped [lindholm.21.jvm, Sect. 4.7].
enum class AttributeOwner : std::uint8_t { Class = 1, Field = 2, Method = 4, Code = 8, RecordComponent = 16 };

struct AttributeLayout {
  AttributeKind kind;
  std::string_view name;
  std::uint8_t owners;  // the owners that may have it
  bool repeatable;      // an owner may have several
};

namespace attribute_owners {
inline constexpr auto on_class = static_cast<std::uint8_t>(AttributeOwner::Class);
inline constexpr auto on_field = static_cast<std::uint8_t>(AttributeOwner::Field);
inline constexpr auto on_method = static_cast<std::uint8_t>(AttributeOwner::Method);
inline constexpr auto on_code = static_cast<std::uint8_t>(AttributeOwner::Code);
inline constexpr std::uint8_t on_declarations = 1 | 2 | 4 | 16;
}  // namespace attribute_owners

inline constexpr auto attribute_layouts = std::to_array<AttributeLayout>({
    {AttributeKind::Code, "Code", attribute_owners::on_method, false},
    {AttributeKind::ConstantValue, "ConstantValue", attribute_owners::on_field, false},
    {AttributeKind::Exceptions, "Exceptions", attribute_owners::on_method, false},
    {AttributeKind::LineNumberTable, "LineNumberTable", attribute_owners::on_code, true},
    {AttributeKind::LocalVariableTable, "LocalVariableTable", attribute_owners::on_code, true},
    {AttributeKind::SourceFile, "SourceFile", attribute_owners::on_class, false},
    {AttributeKind::BootstrapMethods, "BootstrapMethods", attribute_owners::on_class, false},
    {AttributeKind::InnerClasses, "InnerClasses", attribute_owners::on_class, false},
    {AttributeKind::EnclosingMethod, "EnclosingMethod", attribute_owners::on_class, false},
    {AttributeKind::NestHost, "NestHost", attribute_owners::on_class, false},
    {AttributeKind::NestMembers, "NestMembers", attribute_owners::on_class, false},
    {AttributeKind::Record, "Record", attribute_owners::on_class, false},
    {AttributeKind::RuntimeVisibleAnnotations, "RuntimeVisibleAnnotations", attribute_owners::on_declarations, false},
    {AttributeKind::RuntimeInvisibleAnnotations, "RuntimeInvisibleAnnotations", attribute_owners::on_declarations,
     false},
    {AttributeKind::RuntimeVisibleParameterAnnotations, "RuntimeVisibleParameterAnnotations",
     attribute_owners::on_method, false},
    {AttributeKind::RuntimeInvisibleParameterAnnotations, "RuntimeInvisibleParameterAnnotations",
     attribute_owners::on_method, false},
    {AttributeKind::Module, "Module", attribute_owners::on_class, false},
    {AttributeKind::ModuleMainClass, "ModuleMainClass", attribute_owners::on_class, false},
});

// The attribute that an owner has under this name; nothing if that is none we read.
[[nodiscard]] constexpr std::optional<AttributeKind> attribute_kind(std::string_view name, AttributeOwner owner) {
  for (const AttributeLayout& layout : attribute_layouts)
    if (layout.name == name && (layout.owners & static_cast<std::uint8_t>(owner)) != 0) return layout.kind;
  return std::nullopt;
}
[[nodiscard]] constexpr const AttributeLayout& layout_of(AttributeKind kind) {
  return attribute_layouts[static_cast<std::size_t>(kind)];
}

}  // namespace lockwood::jvm
