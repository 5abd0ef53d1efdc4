#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jvm/archive/class_source.hpp"
#include "jvm/classfile/access.hpp"
#include "jvm/classfile/attribute.hpp"
#include "jvm/classfile/class_format_error.hpp"
#include "jvm/classfile/constant_pool.hpp"

namespace lockwood::jvm {

// An attribute that is read, still as bytes.
struct Attribute {
  AttributeKind kind;
  std::uint32_t begin;   // its content, from the beginning of the class file
  std::uint32_t length;  // bytes of the content
};

// A part of the attributes of a class file.
struct AttributeRange {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

// A field or method. Its attributes are still bytes.
struct Member {
  Access access;
  std::string_view name;
  std::string_view descriptor;
  AttributeRange attributes;
};

// A class file: the constant pool and the headers of its members are read and checked, and all else is left as bytes
// until somebody asks (code_attribute.hpp, class_attributes.hpp, annotation.hpp). Names are views of the bytes, which
// `bytes.owner` keeps alive, so that a class file may be moved.
struct ClassFile {
  ClassBytes bytes;
  std::uint16_t minor_version = 0;
  std::uint16_t major_version = 0;
  ConstantPool constants;
  Access access;
  std::string_view name;
  std::optional<std::string_view> super_name;  // java/lang/Object has none
  std::vector<std::string_view> interfaces;
  std::vector<Member> fields;
  std::vector<Member> methods;
  std::vector<Attribute> attributes;  // of the class and its members
  AttributeRange class_attributes;
};

inline constexpr std::uint16_t oldest_major_version = 45;
inline constexpr std::uint16_t newest_major_version = 69;  // release 25

// Throws ClassFormatError if the bytes are no class file. A class of a newer version than we know is read;
// newer_version tells it.
[[nodiscard]] ClassFile read_class_file(ClassBytes bytes);

// The warning about a class that is newer than newest_major_version.
[[nodiscard]] std::optional<Diagnostic> newer_version(const ClassFile& file);

// The attribute of this kind in the range, the first one if there are several.
[[nodiscard]] std::optional<Attribute> find_attribute(const ClassFile& file, AttributeRange range, AttributeKind kind);
[[nodiscard]] std::span<const Attribute> attributes_of(const ClassFile& file, AttributeRange range);
// Reads the attributes that follow, count first, for an owner inside of another attribute.
[[nodiscard]] std::vector<Attribute> read_attributes(const ConstantPool& constants, ByteReader& reader,
                                                     AttributeOwner owner);
[[nodiscard]] ByteReader reader_of(const ClassFile& file, const Attribute& attribute);

// The member of this name and descriptor, or nothing.
[[nodiscard]] const Member* find_method(const ClassFile& file, std::string_view name, std::string_view descriptor);
[[nodiscard]] const Member* find_field(const ClassFile& file, std::string_view name, std::string_view descriptor);

// Calls `read` and throws what it says about bytes as an error of this class, and of the method if there is one.
template <class Read>
auto with_location(const ClassFile& file, const Member* method, const Read& read) {
  try {
    return read();
  } catch (MalformedBytes& malformed) {
    ClassLocation location{.origin = file.bytes.origin, .class_name = std::string{file.name}, .byte = malformed.offset};
    if (method != nullptr) location.method = std::string{method->name} + std::string{method->descriptor};
    throw ClassFormatError{std::move(location), malformed.message};
  }
}

}  // namespace lockwood::jvm
