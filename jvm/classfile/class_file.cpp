#include "jvm/classfile/class_file.hpp"

#include <algorithm>
#include <cassert>
#include <tuple>

#include "jvm/classfile/descriptor.hpp"

namespace lockwood::jvm {
namespace {

constexpr std::uint32_t magic = 0xCAFEBABE;

// Appends the attributes that follow, and says which these are.
AttributeRange append_attributes(const ConstantPool& constants, ByteReader& reader, AttributeOwner owner,
                                 std::vector<Attribute>& attributes) {
  const std::size_t count = reader.count_u2(6, "attributes");
  AttributeRange range{.first = static_cast<std::uint32_t>(attributes.size())};
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = reader.position();
    const auto kind = attribute_kind(constants.utf8(ConstantIndex{reader.u2()}), owner);
    const std::size_t length = reader.u4();
    const std::size_t begin = reader.position();
    reader.skip(length);
    if (!kind) continue;
    const auto before = std::span{attributes}.subspan(range.first);
    if (!layout_of(*kind).repeatable && std::ranges::find(before, *kind, &Attribute::kind) != before.end())
      throw MalformedBytes{at, "the attribute " + std::string{layout_of(*kind).name} + " is there twice"};
    attributes.push_back({*kind, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(length)});
  }
  range.count = static_cast<std::uint32_t>(attributes.size() - range.first);
  return range;
}

// A name of a field or method has none of these letters, and only two names of methods have angle brackets
// [lindholm.21.jvm, Sect. 4.2.2].
bool is_member_name(std::string_view name, AttributeOwner owner) {
  if (name.empty() || name.find_first_of(".;[/") != std::string_view::npos) return false;
  if (owner == AttributeOwner::Field || name == "<init>" || name == "<clinit>") return true;
  return name.find_first_of("<>") == std::string_view::npos;
}

void check_member(const Member& member, AttributeOwner owner, std::size_t at) {
  const bool is_field = owner == AttributeOwner::Field;
  if (!is_member_name(member.name, owner))
    throw MalformedBytes{at,
                         "'" + std::string{member.name} + "' is not a name of a " + (is_field ? "field" : "method")};
  const bool fits =
      is_field ? parse_field_descriptor(member.descriptor).has_value() : is_method_descriptor(member.descriptor);
  if (!fits)
    throw MalformedBytes{
        at, "'" + std::string{member.descriptor} + "' is not a descriptor of a " + (is_field ? "field" : "method")};
}

void refuse_duplicates(const std::vector<Member>& members, std::size_t at) {
  std::vector<const Member*> sorted;
  sorted.reserve(members.size());
  for (const Member& member : members) sorted.push_back(&member);
  const auto key = [](const Member* member) { return std::tie(member->name, member->descriptor); };
  std::ranges::sort(sorted, {}, key);
  const auto twin = std::ranges::adjacent_find(sorted, {}, key);
  if (twin != sorted.end())
    throw MalformedBytes{
        at, "the member " + std::string{(*twin)->name} + " " + std::string{(*twin)->descriptor} + " is declared twice"};
}

std::vector<Member> read_members(ClassFile& file, ByteReader& reader, AttributeOwner owner) {
  const std::size_t begin = reader.position();
  std::vector<Member> members(reader.count_u2(8, owner == AttributeOwner::Field ? "fields" : "methods"));
  for (Member& member : members) {
    const std::size_t at = reader.position();
    member.access = Access{reader.u2()};
    member.name = file.constants.utf8(ConstantIndex{reader.u2()});
    member.descriptor = file.constants.utf8(ConstantIndex{reader.u2()});
    check_member(member, owner, at);
    member.attributes = append_attributes(file.constants, reader, owner, file.attributes);
  }
  refuse_duplicates(members, begin);
  return members;
}

void read_supertypes(ClassFile& file, ByteReader& reader) {
  if (const ConstantIndex super{reader.u2()}; super.index() != 0) file.super_name = file.constants.class_name(super);
  const bool may_lack_super = file.name == "java/lang/Object" || file.access.is_module();
  if (!file.super_name && !may_lack_super) reader.fail("the class has no superclass");
  file.interfaces.resize(reader.count_u2(2, "interfaces"));
  for (std::string_view& interface : file.interfaces) interface = file.constants.class_name(ConstantIndex{reader.u2()});
}

void read_version(ClassFile& file, ByteReader& reader) {
  if (reader.u4() != magic) throw MalformedBytes{0, "this is not a class file: it does not begin with 0xCAFEBABE"};
  file.minor_version = reader.u2();
  file.major_version = reader.u2();
  if (file.major_version < oldest_major_version)
    reader.fail("the version is " + std::to_string(file.major_version) + "; class files begin with version " +
                std::to_string(oldest_major_version));
}

void read_into(ClassFile& file) {
  ByteReader reader{file.bytes.bytes};
  read_version(file, reader);
  file.constants = ConstantPool{reader};
  file.access = Access{reader.u2()};
  const std::size_t at = reader.position();
  file.name = file.constants.class_name(ConstantIndex{reader.u2()});
  if (file.name.empty() || file.name.starts_with('[')) throw MalformedBytes{at, "the class has the name of an array"};
  read_supertypes(file, reader);
  file.fields = read_members(file, reader, AttributeOwner::Field);
  file.methods = read_members(file, reader, AttributeOwner::Method);
  file.class_attributes = append_attributes(file.constants, reader, AttributeOwner::Class, file.attributes);
  reader.require_end("the class");
  file.attributes.shrink_to_fit();
}

const Member* find_member(const std::vector<Member>& members, std::string_view name, std::string_view descriptor) {
  const auto found = std::ranges::find_if(
      members, [&](const Member& member) { return member.name == name && member.descriptor == descriptor; });
  return found == members.end() ? nullptr : &*found;
}

}  // namespace

ClassFile read_class_file(ClassBytes bytes) {
  ClassFile file;
  file.bytes = std::move(bytes);
  // Attributes keep their place in 32 bits.
  if (file.bytes.bytes.size() > 0x7FFFFFFF)
    throw ClassFormatError{{.origin = file.bytes.origin}, "a class file has at most 2 GB"};
  with_location(file, nullptr, [&] { read_into(file); });
  return file;
}

std::optional<Diagnostic> newer_version(const ClassFile& file) {
  if (file.major_version <= newest_major_version) return std::nullopt;
  return Diagnostic{.severity = Severity::Warning,
                    .file = file.bytes.origin,
                    .message = "class " + std::string{file.name} + " has version " +
                               std::to_string(file.major_version) + ", which is newer than " +
                               std::to_string(newest_major_version) + ": what is new in it is not seen"};
}

std::span<const Attribute> attributes_of(const ClassFile& file, AttributeRange range) {
  assert(range.first + std::size_t{range.count} <= file.attributes.size());
  return std::span{file.attributes}.subspan(range.first, range.count);
}

std::optional<Attribute> find_attribute(const ClassFile& file, AttributeRange range, AttributeKind kind) {
  const auto attributes = attributes_of(file, range);
  const auto found = std::ranges::find(attributes, kind, &Attribute::kind);
  return found == attributes.end() ? std::nullopt : std::optional{*found};
}

std::vector<Attribute> read_attributes(const ConstantPool& constants, ByteReader& reader, AttributeOwner owner) {
  std::vector<Attribute> attributes;
  append_attributes(constants, reader, owner, attributes);
  return attributes;
}

ByteReader reader_of(const ClassFile& file, const Attribute& attribute) {
  return ByteReader{file.bytes.bytes, attribute.begin, attribute.begin + std::size_t{attribute.length}};
}

const Member* find_method(const ClassFile& file, std::string_view name, std::string_view descriptor) {
  return find_member(file.methods, name, descriptor);
}

const Member* find_field(const ClassFile& file, std::string_view name, std::string_view descriptor) {
  return find_member(file.fields, name, descriptor);
}

}  // namespace lockwood::jvm
