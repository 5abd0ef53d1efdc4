#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "base/text/suggestion.hpp"
#include "frontend/java/inventory.hpp"
#include "frontend/java/pointsto/points_to.hpp"
#include "jvm/classfile/descriptor.hpp"

namespace lockwood::java {
namespace {

constexpr std::string_view main_descriptor = "([Ljava/lang/String;)V";

bool has_main(const jvm::ClassFile& file) {
  const jvm::Member* method = jvm::find_method(file, "main", main_descriptor);
  return method != nullptr && method->access.is_public() && method->access.is_static();
}

std::string list_of(const std::vector<MainClass>& mains) {
  constexpr std::size_t most = 5;
  std::string text;
  for (std::size_t i = 0; i < mains.size() && i < most; ++i) text += (i == 0 ? "" : ", ") + mains[i].name;
  return mains.size() > most ? text + ", …" : text;
}

[[noreturn]] void refuse(const JavaProgram& program, std::string message, std::string hint) {
  throw InputError{
      {Diagnostic{.file = program.path, .message = std::move(message), .excerpt = {}, .hint = std::move(hint)}}};
}

// The class that people write pkg.Outer.Inner may be pkg/Outer$Inner.
std::optional<std::string> named_class(JavaProgram& program, std::string_view text) {
  std::string name{text};
  std::ranges::replace(name, '.', '/');
  while (true) {
    if (program.classes->find(name)) return name;
    const std::size_t slash = name.rfind('/');
    if (slash == std::string::npos) return std::nullopt;
    name[slash] = '$';
  }
}

}  // namespace

std::string main_class(JavaProgram& program, const PointsToOptions& options) {
  if (options.main) {
    const auto name = named_class(program, *options.main);
    if (!name) {
      Suggestion suggestion{*options.main};
      program.application->for_each_class(
          [&](std::string_view known) { suggestion.consider(jvm::java_class_name(known)); });
      refuse(program, fmt::format("there is no class '{}'", *options.main), suggestion.hint());
    }
    if (!has_main(jvm::read_class_file(*program.classes->find(*name))))
      refuse(program, fmt::format("the class '{}' has no method 'public static void main(String[])'", *options.main),
             {});
    return *name;
  }
  const Inventory all = inventory(program);
  if (all.mains.empty())
    refuse(program, "no class has a method 'public static void main(String[])'",
           "a library has no main: look at the public methods of a class by --library=CLASS");
  for (const MainClass& main : all.mains)
    if (main.name == program.preferred_main) return *named_class(program, main.name);
  const bool clear = all.mains.size() == 1 || (all.mains[0].named_by_manifest && !all.mains[1].named_by_manifest);
  if (!clear)
    refuse(program, fmt::format("{} classes have a main: {}", all.mains.size(), list_of(all.mains)),
           "choose one by --main=CLASS");
  const auto name = named_class(program, all.mains.front().name);
  assert(name);
  return *name;
}

EntryPoint entry_point(Universe& universe, JavaProgram& program) {
  const jvm::ClassId type = universe.hierarchy().load(main_class(program, universe.options()));
  const auto method = universe.hierarchy().declared_method(type, "main", main_descriptor);
  if (!method) refuse(program, "the class with the main method cannot be read", {});
  return {universe.method(*method), universe.unknown(universe.hierarchy().load("[Ljava/lang/String;"))};
}

}  // namespace lockwood::java
