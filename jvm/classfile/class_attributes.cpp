#include "jvm/classfile/class_attributes.hpp"

#include <cassert>

#include "jvm/classfile/descriptor.hpp"

namespace lockwood::jvm {
namespace {

ConstantIndex index(ByteReader& reader) { return ConstantIndex{reader.u2()}; }

// What `get` says about the constant that follows; nothing for index 0.
template <class Get>
auto optional_constant(ByteReader& reader, const Get& get) -> std::optional<decltype(get(ConstantIndex{0}))> {
  const ConstantIndex constant = index(reader);
  if (constant.index() == 0) return std::nullopt;
  return get(constant);
}

// A count and so many records, each read by `read_row`, which takes at least so many bytes.
template <class ReadRow>
auto rows(ByteReader& reader, std::size_t least_bytes, std::string_view what, const ReadRow& read_row) {
  std::vector<decltype(read_row())> result;
  const std::size_t count = reader.count_u2(least_bytes, what);
  result.reserve(count);
  for (std::size_t i = 0; i < count; ++i) result.push_back(read_row());
  return result;
}

// Reads an attribute of a class or of one of its members by `read`, if it is there.
template <class Read>
auto read_attribute(const ClassFile& file, const Member* member, AttributeKind kind, const Read& read)
    -> std::optional<decltype(read(std::declval<ByteReader&>()))> {
  const auto attribute = find_attribute(file, member == nullptr ? file.class_attributes : member->attributes, kind);
  if (!attribute) return std::nullopt;
  return with_location(file, member, [&] {
    ByteReader reader = reader_of(file, *attribute);
    auto result = std::optional{read(reader)};
    reader.require_end(layout_of(kind).name);
    return result;
  });
}

std::vector<std::string_view> class_names(const ClassFile& file, ByteReader& reader) {
  return rows(reader, 2, "classes", [&] { return file.constants.class_name(index(reader)); });
}

// What ldc could load [lindholm.21.jvm, Table 4.4-C].
bool is_loadable(std::optional<ConstantTag> tag) {
  if (!tag) return false;
  switch (*tag) {
    case ConstantTag::Integer:
    case ConstantTag::Float:
    case ConstantTag::Long:
    case ConstantTag::Double:
    case ConstantTag::Class:
    case ConstantTag::String:
    case ConstantTag::MethodHandle:
    case ConstantTag::MethodType:
    case ConstantTag::Dynamic: return true;
    default: return false;
  }
}

BootstrapMethod read_bootstrap_method(const ClassFile& file, ByteReader& reader) {
  BootstrapMethod method{.handle = index(reader), .arguments = {}};
  static_cast<void>(file.constants.method_handle(method.handle));
  method.arguments = rows(reader, 2, "arguments", [&] {
    const ConstantIndex argument = index(reader);
    if (!is_loadable(file.constants.tag(argument)))
      reader.fail("constant #" + std::to_string(argument.index()) + " cannot be an argument of a bootstrap method");
    return argument;
  });
  return method;
}

InnerClass read_inner_class(const ClassFile& file, ByteReader& reader) {
  const auto class_name = [&](ConstantIndex constant) { return file.constants.class_name(constant); };
  const auto utf8 = [&](ConstantIndex constant) { return file.constants.utf8(constant); };
  InnerClass inner{.inner = class_name(index(reader)), .outer = {}, .name = {}, .access = {}};
  inner.outer = optional_constant(reader, class_name);
  inner.name = optional_constant(reader, utf8);
  inner.access = Access{reader.u2()};
  return inner;
}

// The tag that the constant of a field of this type has [lindholm.21.jvm, Table 4.7.2-A].
std::optional<ConstantTag> tag_for(FieldType type) {
  switch (type.value_type()) {
    case ValueType::Int: return ConstantTag::Integer;
    case ValueType::Long: return ConstantTag::Long;
    case ValueType::Float: return ConstantTag::Float;
    case ValueType::Double: return ConstantTag::Double;
    case ValueType::Reference: break;
  }
  return type.text == "Ljava/lang/String;" ? std::optional{ConstantTag::String} : std::nullopt;
}

std::vector<Module::Packages> read_packages(const ClassFile& file, ByteReader& reader) {
  return rows(reader, 6, "packages", [&] {
    Module::Packages packages{.package = file.constants.package_name(index(reader)), .to = {}};
    reader.skip(2);  // flags: synthetic or mandated
    packages.to = rows(reader, 2, "modules", [&] { return file.constants.module_name(index(reader)); });
    return packages;
  });
}

Module read_module(const ClassFile& file, ByteReader& reader) {
  const auto utf8 = [&](ConstantIndex constant) { return file.constants.utf8(constant); };
  Module module{.name = file.constants.module_name(index(reader))};
  reader.skip(2);  // flags
  module.version = optional_constant(reader, utf8);
  module.requires_modules = rows(reader, 6, "modules", [&] {
    const Module::Requires required{file.constants.module_name(index(reader)), Access{reader.u2()}};
    reader.skip(2);  // version
    return required;
  });
  module.exports = read_packages(file, reader);
  module.opens = read_packages(file, reader);
  module.uses = class_names(file, reader);
  module.provides = rows(reader, 4, "services", [&] {
    const std::string_view service = file.constants.class_name(index(reader));
    return Module::Provides{service, class_names(file, reader)};
  });
  return module;
}

}  // namespace

std::optional<std::string_view> source_file(const ClassFile& file) {
  return read_attribute(file, nullptr, AttributeKind::SourceFile,
                        [&](ByteReader& reader) { return file.constants.utf8(index(reader)); });
}

std::vector<BootstrapMethod> bootstrap_methods(const ClassFile& file) {
  return read_attribute(file, nullptr, AttributeKind::BootstrapMethods,
                        [&](ByteReader& reader) {
                          return rows(reader, 4, "bootstrap methods",
                                      [&] { return read_bootstrap_method(file, reader); });
                        })
      .value_or(std::vector<BootstrapMethod>{});
}

std::vector<InnerClass> inner_classes(const ClassFile& file) {
  return read_attribute(file, nullptr, AttributeKind::InnerClasses,
                        [&](ByteReader& reader) {
                          return rows(reader, 8, "inner classes", [&] { return read_inner_class(file, reader); });
                        })
      .value_or(std::vector<InnerClass>{});
}

std::optional<EnclosingMethod> enclosing_method(const ClassFile& file) {
  return read_attribute(file, nullptr, AttributeKind::EnclosingMethod, [&](ByteReader& reader) {
    EnclosingMethod enclosing{.owner = file.constants.class_name(index(reader)), .method = {}};
    enclosing.method =
        optional_constant(reader, [&](ConstantIndex constant) { return file.constants.name_and_type(constant); });
    return enclosing;
  });
}

std::optional<std::string_view> nest_host(const ClassFile& file) {
  return read_attribute(file, nullptr, AttributeKind::NestHost,
                        [&](ByteReader& reader) { return file.constants.class_name(index(reader)); });
}

std::vector<std::string_view> nest_members(const ClassFile& file) {
  return read_attribute(file, nullptr, AttributeKind::NestMembers,
                        [&](ByteReader& reader) { return class_names(file, reader); })
      .value_or(std::vector<std::string_view>{});
}

std::optional<std::vector<RecordComponent>> record_components(const ClassFile& file) {
  return read_attribute(file, nullptr, AttributeKind::Record, [&](ByteReader& reader) {
    return rows(reader, 6, "record components", [&] {
      const std::size_t at = reader.position();
      const std::string_view name = file.constants.utf8(index(reader));
      const std::string_view descriptor = file.constants.utf8(index(reader));
      if (!parse_field_descriptor(descriptor))
        throw MalformedBytes{at, "'" + std::string{descriptor} + "' is not a descriptor of a record component"};
      return RecordComponent{name, descriptor,
                             read_attributes(file.constants, reader, AttributeOwner::RecordComponent)};
    });
  });
}

std::vector<std::string_view> declared_exceptions(const ClassFile& file, const Member& method) {
  return read_attribute(file, &method, AttributeKind::Exceptions,
                        [&](ByteReader& reader) { return class_names(file, reader); })
      .value_or(std::vector<std::string_view>{});
}

std::optional<ConstantIndex> constant_value(const ClassFile& file, const Member& field) {
  return read_attribute(file, &field, AttributeKind::ConstantValue, [&](ByteReader& reader) {
    const ConstantIndex constant = index(reader);
    const auto type = parse_field_descriptor(field.descriptor);
    assert(type);  // members are checked when the class is read
    const auto tag = tag_for(*type);
    if (!tag || file.constants.tag(constant) != tag)
      reader.fail("constant #" + std::to_string(constant.index()) + " does not fit a field of type " +
                  std::string{field.descriptor});
    return constant;
  });
}

std::optional<Module> module_declaration(const ClassFile& file) {
  return read_attribute(file, nullptr, AttributeKind::Module,
                        [&](ByteReader& reader) { return read_module(file, reader); });
}

std::optional<std::string_view> module_main_class(const ClassFile& file) {
  return read_attribute(file, nullptr, AttributeKind::ModuleMainClass,
                        [&](ByteReader& reader) { return file.constants.class_name(index(reader)); });
}

}  // namespace lockwood::jvm
