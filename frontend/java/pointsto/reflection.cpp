#include "frontend/java/pointsto/reflection.hpp"

#include <algorithm>
#include <string>

namespace lockwood::java {
namespace {

constexpr std::string_view unknown_class_name = "the name of the class is not a constant";
constexpr std::string_view no_such_class = "the class that is named is not there";
constexpr std::string_view unknown_method_name = "the name of the method is not a constant";
constexpr std::string_view unknown_class = "which class is instantiated is not known";
constexpr std::string_view unknown_method = "which method is invoked is not known";

void find_class(Universe& universe, ObjectId subject, Reflected& result) {
  const AbstractObject row = universe.objects()[subject];
  if (row.kind != ObjectKind::StringConstant) {
    result.gap = unknown_class_name;
    result.results.push_back(universe.unknown(universe.hierarchy().load("java/lang/Class")));
    return;
  }
  std::string name = row.text;
  std::ranges::replace(name, '.', '/');
  const jvm::ClassId type = universe.hierarchy().load(name);
  if (universe.hierarchy().is_absent(type) && !universe.models().find(name)) {
    result.gap = no_such_class;
    return;
  }
  result.initialised = type;
  result.results.push_back(universe.class_object(type));
}

void instantiate(Universe& universe, ProcedureId procedure, ContextId context, ObjectId subject, Reflected& result) {
  const AbstractObject row = universe.objects()[subject];
  if (row.kind != ObjectKind::ClassObject && row.kind != ObjectKind::Constructor) {
    result.gap = unknown_class;
    return;
  }
  if (!universe.has_bodies(row.about)) {
    result.results.push_back(universe.unknown(row.about));
    return;
  }
  const SiteId site = universe.reflection_site(procedure, row.about);
  result.made = universe.allocation(site, universe.heap_context(site, context));
  result.results.push_back(*result.made);
  result.receivers.push_back(*result.made);
  result.initialised = row.about;
  for (jvm::MethodId method : universe.hierarchy().methods(row.about)) {
    const jvm::Member& member = universe.hierarchy().member(method);
    const bool fits = row.kind == ObjectKind::Constructor || member.descriptor == "()V";
    if (member.name == "<init>" && fits) result.methods.push_back(universe.method(method));
  }
}

}  // namespace

Reflected reflect(Universe& universe, ProcedureId procedure, const Reflect& statement, ContextId context,
                  ObjectId subject, const std::vector<ObjectId>& names, const std::vector<ObjectId>& receivers) {
  Reflected result;
  const AbstractObject row = universe.objects()[subject];
  switch (statement.kind) {
    case ReflectionKind::GetClass:
      result.results.push_back(row.kind == ObjectKind::Unknown
                                   ? universe.unknown(universe.hierarchy().load("java/lang/Class"))
                                   : universe.class_object(row.type));
      break;
    case ReflectionKind::ForName: find_class(universe, subject, result); break;
    case ReflectionKind::FindMethod:
      for (ObjectId name : names) {
        const AbstractObject text = universe.objects()[name];
        if (row.kind == ObjectKind::ClassObject && text.kind == ObjectKind::StringConstant)
          result.results.push_back(universe.reflected_method(row.about, text.text));
        else
          result.gap = unknown_method_name;
      }
      break;
    case ReflectionKind::FindConstructor:
      if (row.kind == ObjectKind::ClassObject)
        result.results.push_back(universe.reflected_constructor(row.about));
      else
        result.gap = unknown_class;
      break;
    case ReflectionKind::Instantiate: instantiate(universe, procedure, context, subject, result); break;
    case ReflectionKind::EnumConstants:
      if (row.kind == ObjectKind::ClassObject && universe.has_bodies(row.about)) {
        result.initialised = row.about;
        result.methods = universe.methods_named(row.about, "values");
      } else {
        // Of the library, or of a class that is not known.
        if (row.kind != ObjectKind::ClassObject) result.gap = unknown_class;
        result.results.push_back(universe.unknown(universe.hierarchy().load("[Ljava/lang/Object;")));
      }
      break;
    case ReflectionKind::Invoke:
      if (row.kind != ObjectKind::Method) {
        result.gap = unknown_method;
        break;
      }
      result.methods = universe.methods_named(row.about, row.text);
      for (ObjectId receiver : receivers)
        if (universe.is_subtype(universe.objects()[receiver].type, row.about)) result.receivers.push_back(receiver);
      break;
  }
  return result;
}

}  // namespace lockwood::java
