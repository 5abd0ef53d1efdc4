#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/ids/id.hpp"
#include "jvm/classfile/byte_reader.hpp"

namespace lockwood::jvm {

// A row of a constant pool, counted from 1 as in the class file. An index that comes from a file need not exist: the
// pool checks it.
using ConstantIndex = Id<struct ConstantIndexTag>;

// Kinds of constants, numbered by their tags [lindholm.21.jvm, Table 4.4-A].
enum class ConstantTag : std::uint8_t {
  Utf8 = 1,
  Integer = 3,
  Float = 4,
  Long = 5,
  Double = 6,
  Class = 7,
  String = 8,
  Field = 9,
  Method = 10,
  InterfaceMethod = 11,
  NameAndType = 12,
  MethodHandle = 15,
  MethodType = 16,
  Dynamic = 17,
  InvokeDynamic = 18,
  Module = 19,
  Package = 20,
};

// What two bytes of a constant refer to.
enum class ConstantPart : std::uint8_t { None, Utf8, Class, NameAndType, Bootstrap, Handle };

struct ConstantLayout {
  ConstantTag tag;
  std::string_view name;
  std::uint8_t bytes;  // after the tag; those of Utf8 are followed by its text
  ConstantPart first;  // what the first two bytes refer to
  ConstantPart second;
};

inline constexpr auto constant_layouts = std::to_array<ConstantLayout>({
    {ConstantTag::Utf8, "Utf8", 2, ConstantPart::None, ConstantPart::None},
    {ConstantTag::Integer, "Integer", 4, ConstantPart::None, ConstantPart::None},
    {ConstantTag::Float, "Float", 4, ConstantPart::None, ConstantPart::None},
    {ConstantTag::Long, "Long", 8, ConstantPart::None, ConstantPart::None},
    {ConstantTag::Double, "Double", 8, ConstantPart::None, ConstantPart::None},
    {ConstantTag::Class, "Class", 2, ConstantPart::Utf8, ConstantPart::None},
    {ConstantTag::String, "String", 2, ConstantPart::Utf8, ConstantPart::None},
    {ConstantTag::Field, "Fieldref", 4, ConstantPart::Class, ConstantPart::NameAndType},
    {ConstantTag::Method, "Methodref", 4, ConstantPart::Class, ConstantPart::NameAndType},
    {ConstantTag::InterfaceMethod, "InterfaceMethodref", 4, ConstantPart::Class, ConstantPart::NameAndType},
    {ConstantTag::NameAndType, "NameAndType", 4, ConstantPart::Utf8, ConstantPart::Utf8},
    {ConstantTag::MethodHandle, "MethodHandle", 3, ConstantPart::Handle, ConstantPart::None},
    {ConstantTag::MethodType, "MethodType", 2, ConstantPart::Utf8, ConstantPart::None},
    {ConstantTag::Dynamic, "Dynamic", 4, ConstantPart::Bootstrap, ConstantPart::NameAndType},
    {ConstantTag::InvokeDynamic, "InvokeDynamic", 4, ConstantPart::Bootstrap, ConstantPart::NameAndType},
    {ConstantTag::Module, "Module", 2, ConstantPart::Utf8, ConstantPart::None},
    {ConstantTag::Package, "Package", 2, ConstantPart::Utf8, ConstantPart::None},
});

// The layout of a tag, or nothing if no constant has it.
[[nodiscard]] constexpr const ConstantLayout* constant_layout(std::uint8_t tag) {
  for (const ConstantLayout& layout : constant_layouts)
    if (static_cast<std::uint8_t>(layout.tag) == tag) return &layout;
  return nullptr;
}

struct NameAndType {
  std::string_view name;
  std::string_view descriptor;
  friend bool operator==(const NameAndType&, const NameAndType&) = default;
};

// A field or method as code refers to it: the class named here need not be the one that declares it.
struct MemberRef {
  std::string_view owner;  // java/lang/String, or [I
  std::string_view name;
  std::string_view descriptor;
  ConstantTag kind;  // Field, Method or InterfaceMethod
  friend bool operator==(const MemberRef&, const MemberRef&) = default;
};

// Kinds of method handles [lindholm.21.jvm, Table 5.4.3.5-A].
enum class HandleKind : std::uint8_t {
  GetField = 1,
  GetStatic,
  PutField,
  PutStatic,
  InvokeVirtual,
  InvokeStatic,
  InvokeSpecial,
  NewInvokeSpecial,
  InvokeInterface,
};

struct MethodHandle {
  HandleKind kind;
  MemberRef member;
};

// A constant or call site that a bootstrap method computes.
struct DynamicRef {
  std::size_t bootstrap;  // row of the attribute BootstrapMethods; not checked here
  NameAndType name_and_type;
};

// The constants of one class, left as bytes. Reading the pool checks each reference between constants, so later only
// indices from outside the pool can be wrong; these throw MalformedBytes. Names are views of the bytes.
class ConstantPool {
 public:
  ConstantPool() = default;
  // Reads count and constants.
  explicit ConstantPool(ByteReader& reader);

  // 1 + the greatest index.
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  // The tag of a constant; nothing for index 0, the second half of a long or double, and beyond the end.
  [[nodiscard]] std::optional<ConstantTag> tag(ConstantIndex index) const;

  [[nodiscard]] std::string_view utf8(ConstantIndex index) const;
  [[nodiscard]] std::int32_t integer(ConstantIndex index) const;
  [[nodiscard]] std::int64_t long_integer(ConstantIndex index) const;
  [[nodiscard]] float float_number(ConstantIndex index) const;
  [[nodiscard]] double double_number(ConstantIndex index) const;
  [[nodiscard]] std::string_view class_name(ConstantIndex index) const;
  [[nodiscard]] std::string_view string(ConstantIndex index) const;
  // A field, method or interface method.
  [[nodiscard]] MemberRef member(ConstantIndex index) const;
  [[nodiscard]] NameAndType name_and_type(ConstantIndex index) const;
  [[nodiscard]] MethodHandle method_handle(ConstantIndex index) const;
  [[nodiscard]] ConstantIndex method_handle_member(ConstantIndex index) const;
  [[nodiscard]] std::string_view method_type(ConstantIndex index) const;
  // A dynamic constant, or a dynamic call site.
  [[nodiscard]] DynamicRef dynamic(ConstantIndex index) const;
  [[nodiscard]] std::string_view module_name(ConstantIndex index) const;
  [[nodiscard]] std::string_view package_name(ConstantIndex index) const;

 private:
  struct Entry {
    std::uint32_t offset = 0;  // of the byte after the tag
    std::uint8_t tag = 0;      // 0: no constant
  };

  [[nodiscard]] bool has(ConstantIndex index, ConstantTag tag) const;
  // A reader of the constant; throws if there is no such constant or it has another tag.
  [[nodiscard]] ByteReader expect(ConstantIndex index, ConstantTag tag) const;
  [[nodiscard]] std::string_view text_of(ConstantIndex index, ConstantTag tag) const;
  [[nodiscard]] ByteReader reader_of(const Entry& entry) const;
  [[noreturn]] void fail_tag(ConstantIndex index, std::string_view wanted) const;
  void check_references() const;
  void check_part(ByteReader& reader, ConstantPart part) const;
  void check_handle(ByteReader& reader) const;

  Bytes whole_;
  std::vector<Entry> entries_;
};

}  // namespace lockwood::jvm
