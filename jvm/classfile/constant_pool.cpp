#include "jvm/classfile/constant_pool.hpp"

#include <bit>
#include <cassert>

#include "jvm/classfile/modified_utf8.hpp"

namespace lockwood::jvm {
namespace {

// By tag, so that the reader of a large pool does not search.
constexpr auto layouts_by_tag = [] {
  std::array<const ConstantLayout*, 256> table{};
  for (std::size_t tag = 0; tag < table.size(); ++tag) table[tag] = constant_layout(static_cast<std::uint8_t>(tag));
  return table;
}();

std::string_view name_of(std::uint8_t tag) {
  const ConstantLayout* layout = layouts_by_tag[tag];
  return layout == nullptr ? "nothing" : layout->name;
}

bool is_wide(std::uint8_t tag) {
  return tag == static_cast<std::uint8_t>(ConstantTag::Long) || tag == static_cast<std::uint8_t>(ConstantTag::Double);
}

std::string_view text_at(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

}  // namespace

ConstantPool::ConstantPool(ByteReader& reader) : whole_{reader.whole()} {
  const std::size_t size = reader.u2();
  if (size == 0) reader.fail("the constant pool has size 0; the least size is 1");
  // The least constant takes three bytes, and a long takes nine for two rows.
  reader.checked(size - 1, 3, "constants");
  entries_.resize(size);
  for (std::size_t index = 1; index < size; ++index) {
    const std::uint8_t tag = reader.u1();
    const ConstantLayout* layout = layouts_by_tag[tag];
    if (layout == nullptr)
      reader.fail("constant #" + std::to_string(index) + " has the unknown tag " + std::to_string(tag));
    entries_[index] = {static_cast<std::uint32_t>(reader.position()), tag};
    if (layout->tag == ConstantTag::Utf8) {
      const std::size_t length = reader.u2();
      const std::size_t begin = reader.position();
      if (const auto bad = malformed_modified_utf8(text_at(reader.take(length))))
        throw MalformedBytes{begin + *bad, "constant #" + std::to_string(index) + " is not modified UTF-8"};
    } else {
      reader.skip(layout->bytes);
    }
    // A long or double takes two rows, and the second one is no constant [lindholm.21.jvm, Sect. 4.4.5].
    if (is_wide(tag)) {
      ++index;
      if (index == size) reader.fail("the last constant takes two rows, but only one is left");
    }
  }
  check_references();
}

void ConstantPool::check_references() const {
  for (const Entry& entry : entries_) {
    if (entry.tag == 0) continue;
    const ConstantLayout& layout = *layouts_by_tag[entry.tag];
    if (layout.first == ConstantPart::None) continue;
    ByteReader reader = reader_of(entry);
    check_part(reader, layout.first);
    check_part(reader, layout.second);
  }
}

void ConstantPool::check_part(ByteReader& reader, ConstantPart part) const {
  switch (part) {
    case ConstantPart::None: return;
    case ConstantPart::Utf8: static_cast<void>(expect(ConstantIndex{reader.u2()}, ConstantTag::Utf8)); return;
    case ConstantPart::Class: static_cast<void>(expect(ConstantIndex{reader.u2()}, ConstantTag::Class)); return;
    case ConstantPart::NameAndType:
      static_cast<void>(expect(ConstantIndex{reader.u2()}, ConstantTag::NameAndType));
      return;
    case ConstantPart::Bootstrap: reader.skip(2); return;  // a row of an attribute that is not read yet
    case ConstantPart::Handle: check_handle(reader); return;
  }
}

// Which members a kind of handle may have [lindholm.21.jvm, Sect. 4.4.8]. Static and special handles may name methods
// of interfaces since release 8; older classes are not told apart, as nothing depends on it.
void ConstantPool::check_handle(ByteReader& reader) const {
  const std::uint8_t kind = reader.u1();
  if (kind < 1 || kind > 9) reader.fail("method handles of kind " + std::to_string(kind) + " do not exist");
  const ConstantIndex member{reader.u2()};
  const bool names_field = has(member, ConstantTag::Field);
  const bool names_method = has(member, ConstantTag::Method);
  const bool names_interface_method = has(member, ConstantTag::InterfaceMethod);
  bool fits = false;
  switch (static_cast<HandleKind>(kind)) {
    case HandleKind::GetField:
    case HandleKind::GetStatic:
    case HandleKind::PutField:
    case HandleKind::PutStatic: fits = names_field; break;
    case HandleKind::InvokeVirtual:
    case HandleKind::NewInvokeSpecial: fits = names_method; break;
    case HandleKind::InvokeStatic:
    case HandleKind::InvokeSpecial: fits = names_method || names_interface_method; break;
    case HandleKind::InvokeInterface: fits = names_interface_method; break;
  }
  if (!fits) fail_tag(member, "a member that fits the kind of the method handle");
}

std::optional<ConstantTag> ConstantPool::tag(ConstantIndex index) const {
  if (index.index() >= entries_.size() || entries_[index.index()].tag == 0) return std::nullopt;
  return static_cast<ConstantTag>(entries_[index.index()].tag);
}

bool ConstantPool::has(ConstantIndex index, ConstantTag tag) const { return this->tag(index) == tag; }

ByteReader ConstantPool::reader_of(const Entry& entry) const {
  assert(entry.offset > 0 && entry.offset <= whole_.size());
  return ByteReader{whole_, entry.offset, whole_.size()};
}

ByteReader ConstantPool::expect(ConstantIndex index, ConstantTag tag) const {
  if (!has(index, tag)) fail_tag(index, name_of(static_cast<std::uint8_t>(tag)));
  return reader_of(entries_[index.index()]);
}

void ConstantPool::fail_tag(ConstantIndex index, std::string_view wanted) const {
  const std::string number = "constant #" + std::to_string(index.index());
  if (index.index() >= entries_.size())
    throw MalformedBytes{std::size_t{8},  // where the size is
                         number + " does not exist; the constant pool has size " + std::to_string(entries_.size())};
  const Entry& entry = entries_[index.index()];
  throw MalformedBytes{entry.offset,
                       number + " should be " + std::string{wanted} + ", but it is " + std::string{name_of(entry.tag)}};
}

std::string_view ConstantPool::utf8(ConstantIndex index) const {
  ByteReader reader = expect(index, ConstantTag::Utf8);
  const std::size_t length = reader.u2();
  return text_at(reader.take(length));
}

std::int32_t ConstantPool::integer(ConstantIndex index) const { return expect(index, ConstantTag::Integer).s4(); }

std::int64_t ConstantPool::long_integer(ConstantIndex index) const {
  return static_cast<std::int64_t>(expect(index, ConstantTag::Long).u8());
}

float ConstantPool::float_number(ConstantIndex index) const {
  return std::bit_cast<float>(expect(index, ConstantTag::Float).u4());
}

double ConstantPool::double_number(ConstantIndex index) const {
  return std::bit_cast<double>(expect(index, ConstantTag::Double).u8());
}

// Class, String, MethodType, Module and Package are an index of their text.
std::string_view ConstantPool::text_of(ConstantIndex index, ConstantTag tag) const {
  return utf8(ConstantIndex{expect(index, tag).u2()});
}

std::string_view ConstantPool::class_name(ConstantIndex index) const { return text_of(index, ConstantTag::Class); }
std::string_view ConstantPool::string(ConstantIndex index) const { return text_of(index, ConstantTag::String); }
std::string_view ConstantPool::method_type(ConstantIndex index) const {
  return text_of(index, ConstantTag::MethodType);
}
std::string_view ConstantPool::module_name(ConstantIndex index) const { return text_of(index, ConstantTag::Module); }
std::string_view ConstantPool::package_name(ConstantIndex index) const { return text_of(index, ConstantTag::Package); }

NameAndType ConstantPool::name_and_type(ConstantIndex index) const {
  ByteReader reader = expect(index, ConstantTag::NameAndType);
  const ConstantIndex name{reader.u2()};
  const ConstantIndex descriptor{reader.u2()};
  return {utf8(name), utf8(descriptor)};
}

MemberRef ConstantPool::member(ConstantIndex index) const {
  const auto kind = tag(index);
  if (kind != ConstantTag::Field && kind != ConstantTag::Method && kind != ConstantTag::InterfaceMethod)
    fail_tag(index, "a field or method");
  ByteReader reader = reader_of(entries_[index.index()]);
  const ConstantIndex owner{reader.u2()};
  const NameAndType rest = name_and_type(ConstantIndex{reader.u2()});
  return {class_name(owner), rest.name, rest.descriptor, *kind};
}

ConstantIndex ConstantPool::method_handle_member(ConstantIndex index) const {
  ByteReader reader = expect(index, ConstantTag::MethodHandle);
  reader.skip(1);
  return ConstantIndex{reader.u2()};
}

MethodHandle ConstantPool::method_handle(ConstantIndex index) const {
  ByteReader reader = expect(index, ConstantTag::MethodHandle);
  const auto kind = static_cast<HandleKind>(reader.u1());
  return {kind, member(ConstantIndex{reader.u2()})};
}

DynamicRef ConstantPool::dynamic(ConstantIndex index) const {
  const auto kind = tag(index);
  if (kind != ConstantTag::Dynamic && kind != ConstantTag::InvokeDynamic) fail_tag(index, "Dynamic or InvokeDynamic");
  ByteReader reader = reader_of(entries_[index.index()]);
  const std::size_t bootstrap = reader.u2();
  return {bootstrap, name_and_type(ConstantIndex{reader.u2()})};
}

}  // namespace lockwood::jvm
