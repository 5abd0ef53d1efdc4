#pragma once

#include <cstddef>
#include <string>

#include "jvm/classfile/annotation.hpp"
#include "jvm/classfile/class_attributes.hpp"
#include "jvm/code/body_text.hpp"
#include "jvm/code/code_reader.hpp"
#include "jvm/code/listing.hpp"

namespace lockwood::jvm::test {

struct Amounts {
  std::size_t methods = 0;  // with code
  std::size_t errors = 0;   // parts that were refused
  std::size_t regions = 0;  // of monitors
  std::size_t ignored = 0;  // enters and exits
  std::size_t unknown_calls = 0;
};

// Asks for all that a class file can tell, for tests with bad ones. What is refused is refused by an InputError, part
// by part; the class as a whole must be one already.
inline Amounts read_everything(const ClassFile& file) {
  Amounts amounts;
  const auto part = [&](const auto& read) {
    try {
      read();
    } catch (const InputError&) {
      ++amounts.errors;
    }
  };
  part([&] { static_cast<void>(source_file(file)); });
  part([&] { static_cast<void>(bootstrap_methods(file)); });
  part([&] { static_cast<void>(inner_classes(file)); });
  part([&] { static_cast<void>(enclosing_method(file)); });
  part([&] { static_cast<void>(nest_host(file)); });
  part([&] { static_cast<void>(nest_members(file)); });
  part([&] { static_cast<void>(record_components(file)); });
  part([&] { static_cast<void>(module_declaration(file)); });
  part([&] { static_cast<void>(module_main_class(file)); });
  part([&] { static_cast<void>(annotations(file, file.class_attributes)); });
  part([&] { static_cast<void>(listing(file)); });
  for (const Member& field : file.fields) {
    part([&] { static_cast<void>(constant_value(file, field)); });
    part([&] { static_cast<void>(annotations(file, field.attributes)); });
  }
  CodeReader reader{file};
  for (const Member& method : file.methods) {
    part([&] { static_cast<void>(declared_exceptions(file, method)); });
    part([&] { static_cast<void>(annotations(file, method.attributes)); });
    part([&] { static_cast<void>(parameter_annotations(file, method)); });
    part([&] {
      const auto code = reader.read(method);
      if (!code) return;
      check_invariants(code->body);
      static_cast<void>(to_text(file, method, *code));
      ++amounts.methods;
      amounts.regions += code->monitors.regions.size();
      amounts.ignored += code->monitors.ignored_enters.size() + code->monitors.ignored_exits.size();
      for (const DynamicCall& call : code->body.dynamic_calls)
        amounts.unknown_calls += std::holds_alternative<UnknownDynamicCall>(call.effect) ? 1U : 0U;
    });
  }
  return amounts;
}

}  // namespace lockwood::jvm::test
