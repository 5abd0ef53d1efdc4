#include "frontend/java/pointsto/object_text.hpp"

#include <fmt/format.h>

#include "jvm/classfile/class_attributes.hpp"
#include "jvm/classfile/descriptor.hpp"
#include "jvm/classfile/modified_utf8.hpp"
#include "jvm/code/constant_text.hpp"

namespace lockwood::java {
namespace {

constexpr std::size_t max_string = 60;

std::string type_name(const Universe& universe, jvm::ClassId type) {
  return jvm::java_class_name(universe.hierarchy().name(type));
}

std::string site_text(const Universe& universe, SiteId id) {
  const AllocationSite& site = universe.sites()[id];
  return fmt::format("{}{} made in {}", site.lambda ? "lambda " : "", type_name(universe, site.type),
                     universe.place(universe.procedure(site.procedure), site.instruction));
}

}  // namespace

std::string object_text(const Universe& universe, ObjectId id) {
  const AbstractObject& object = universe.objects()[id];
  switch (object.kind) {
    case ObjectKind::Allocation: return site_text(universe, object.site) + context_text(universe, object.heap);
    case ObjectKind::ClassObject: return "class " + type_name(universe, object.about);
    case ObjectKind::StringConstant: return fmt::format("\"{}\"", jvm::shown(jvm::escaped(object.text), max_string));
    case ObjectKind::Unknown: return "unknown " + type_name(universe, object.type);
    case ObjectKind::Implicit: return type_name(universe, object.type) + " of the machine";
    case ObjectKind::Method: return fmt::format("method {}.{}", type_name(universe, object.about), object.text);
    case ObjectKind::Constructor: return "constructor of " + type_name(universe, object.about);
    case ObjectKind::Constant: return object.text;
  }
  return {};
}

std::string context_text(const Universe& universe, ContextId context) {
  std::string text;
  for (std::uint32_t bits : universe.contexts().elements(context)) {
    const ContextElement element = ContextElement::from_bits(bits);
    text += text.empty() ? " [" : ", ";
    if (element.is_call()) {
      const auto [procedure, call] = universe.call_at(element.call_number());
      text += "called in " +
              universe.place(universe.procedure(procedure), universe.procedure(procedure).calls[call].instruction);
    } else {
      text += site_text(universe, element.site());
    }
  }
  return text.empty() ? text : text + "]";
}

std::string copy_text(const PointsTo& flow, CopyId copy) {
  return flow.universe().name(flow.procedure(copy)) + context_text(flow.universe(), flow.copies()[copy].context);
}

std::string field_text(const Universe& universe, FieldKey key) {
  const Field& field = universe.fields()[key];
  if (!field.declaration && !field.is_static) return field.name;
  return fmt::format("{}.{}", type_name(universe, field.owner), field.name);
}

}  // namespace lockwood::java
