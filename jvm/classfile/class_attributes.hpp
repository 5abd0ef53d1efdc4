#pragma once

#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "jvm/classfile/class_file.hpp"

namespace lockwood::jvm {

// The attributes of classes, fields and methods that have no file of their own. Each function reads one, each time that
// it is called, and returns nothing, or an empty list, if it is not there. All throw ClassFormatError.

[[nodiscard]] std::optional<std::string_view> source_file(const ClassFile& file);

// A row of BootstrapMethods. Both kinds of constants are checked: a method handle, and loadable arguments.
struct BootstrapMethod {
  ConstantIndex handle;
  std::vector<ConstantIndex> arguments;
};
[[nodiscard]] std::vector<BootstrapMethod> bootstrap_methods(const ClassFile& file);

struct InnerClass {
  std::string_view inner;
  std::optional<std::string_view> outer;  // nothing for local and anonymous classes
  std::optional<std::string_view> name;   // as in the source; nothing for anonymous classes
  Access access;
};
[[nodiscard]] std::vector<InnerClass> inner_classes(const ClassFile& file);

// The class, and the method if there is one, whose body declares this class.
struct EnclosingMethod {
  std::string_view owner;
  std::optional<NameAndType> method;
};
[[nodiscard]] std::optional<EnclosingMethod> enclosing_method(const ClassFile& file);

[[nodiscard]] std::optional<std::string_view> nest_host(const ClassFile& file);
[[nodiscard]] std::vector<std::string_view> nest_members(const ClassFile& file);

struct RecordComponent {
  std::string_view name;
  std::string_view descriptor;
  std::vector<Attribute> attributes;
};
// Nothing if the class is not a record; a record may have no components.
[[nodiscard]] std::optional<std::vector<RecordComponent>> record_components(const ClassFile& file);

// The classes that a method declares to throw.
[[nodiscard]] std::vector<std::string_view> declared_exceptions(const ClassFile& file, const Member& method);

// The constant of a field: Integer, Long, Float, Double or String, as the type of the field asks.
[[nodiscard]] std::optional<ConstantIndex> constant_value(const ClassFile& file, const Member& field);

struct Module {
  struct Requires {
    std::string_view module;
    Access access;
  };
  struct Packages {  // exported or opened, to all if `to` is empty
    std::string_view package;
    std::vector<std::string_view> to;
  };
  struct Provides {
    std::string_view service;
    std::vector<std::string_view> with;
  };
  std::string_view name;
  std::optional<std::string_view> version;
  std::vector<Requires> requires_modules;
  std::vector<Packages> exports;
  std::vector<Packages> opens;
  std::vector<std::string_view> uses;
  std::vector<Provides> provides;
};
[[nodiscard]] std::optional<Module> module_declaration(const ClassFile& file);
[[nodiscard]] std::optional<std::string_view> module_main_class(const ClassFile& file);

}  // namespace lockwood::jvm
