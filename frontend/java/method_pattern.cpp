#include "frontend/java/method_pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <optional>
#include <string>

#include "base/text/suggestion.hpp"
#include "jvm/classfile/descriptor.hpp"
#include "jvm/classfile/modified_utf8.hpp"

namespace lockwood::java {
namespace {

std::string without_blanks(std::string_view text) {
  std::string kept;
  std::ranges::copy_if(text, std::back_inserter(kept), [](char c) { return c != ' '; });
  return kept;
}

// The class that people write pkg.Outer.Inner is pkg/Outer$Inner in class files. Which dots are which, nobody can tell
// by the name: so the packages are taken to be as long as possible, then one less, and so on.
std::unique_ptr<jvm::ClassFile> class_named(JavaProgram& program, std::string_view text) {
  std::string name{text};
  std::ranges::replace(name, '.', '/');
  while (true) {
    if (auto bytes = program.classes->find(name))
      return std::make_unique<jvm::ClassFile>(jvm::read_class_file(std::move(*bytes)));
    const std::size_t slash = name.rfind('/');
    if (slash == std::string::npos) return nullptr;
    name[slash] = '$';
  }
}

[[noreturn]] void refuse(const JavaProgram& program, std::string message, std::string hint) {
  throw InputError{
      {Diagnostic{.file = program.path, .message = std::move(message), .excerpt = {}, .hint = std::move(hint)}}};
}

[[noreturn]] void refuse_class(JavaProgram& program, std::string_view text) {
  Suggestion suggestion{text};
  program.application->for_each_class([&](std::string_view name) { suggestion.consider(jvm::java_class_name(name)); });
  refuse(program, fmt::format("there is no class '{}'", text), suggestion.hint());
}

}  // namespace

NamedMethods named_methods(JavaProgram& program, std::string_view text) {
  const std::size_t parenthesis = std::min(text.find('('), text.size());
  const std::string_view path = text.substr(0, parenthesis);
  const std::string parameters = without_blanks(text.substr(parenthesis));
  NamedMethods named;
  if (parameters.empty() && (named.file = class_named(program, path))) {
    for (const jvm::Member& method : named.file->methods) named.methods.push_back(&method);
    if (named.methods.empty()) refuse(program, fmt::format("the class '{}' has no methods", path), {});
    return named;
  }
  const std::size_t dot = path.rfind('.');
  if (dot == std::string_view::npos) refuse_class(program, path);
  const std::string_view name = path.substr(dot + 1);
  named.file = class_named(program, path.substr(0, dot));
  if (!named.file) refuse_class(program, path.substr(0, dot));
  std::vector<std::string> known;
  std::vector<std::string> overloads;
  for (const jvm::Member& method : named.file->methods) {
    known.push_back(jvm::utf8_of(method.name));
    if (known.back() != name) continue;
    overloads.push_back(jvm::java_parameters(method.descriptor));
    if (parameters.empty() || without_blanks(overloads.back()) == parameters) named.methods.push_back(&method);
  }
  if (named.methods.empty() && !overloads.empty())
    refuse(program,
           fmt::format("the method '{}' has no parameters {}, but {}", path, parameters, fmt::join(overloads, ", ")),
           {});
  if (named.methods.empty())
    refuse(program, fmt::format("the class '{}' has no method '{}'", path.substr(0, dot), name),
           suggestion_hint(name, known));
  assert(named.methods.size() <= overloads.size());
  return named;
}

}  // namespace lockwood::java
