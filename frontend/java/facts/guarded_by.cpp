#include "frontend/java/facts/guarded_by.hpp"

#include <optional>

#include "frontend/java/pointsto/object_text.hpp"
#include "jvm/classfile/annotation.hpp"

namespace lockwood::java {
namespace {

std::optional<std::string> guard_of(const jvm::ClassFile& file, const jvm::Member& field) {
  for (const jvm::Annotation& each : jvm::annotations(file, field.attributes)) {
    if (!each.type.ends_with("/GuardedBy;") && each.type != "LGuardedBy;") continue;
    for (const auto& [name, element] : each.elements)
      if (const auto* constant = std::get_if<jvm::ConstantIndex>(&element.value);
          constant != nullptr && name == "value")
        return std::string{file.constants.utf8(*constant)};
  }
  return std::nullopt;
}

}  // namespace

std::map<std::string, std::string> guarded_by(const PointsTo& flow) {
  std::map<std::string, std::string> declared;
  Universe& universe = flow.universe();
  for (FieldKey key : universe.fields().keys()) {
    const Field& field = universe.fields()[key];
    const jvm::ClassFile* const file = universe.hierarchy().file(field.owner);
    if (!field.declaration || file == nullptr) continue;
    try {
      if (auto guard = guard_of(*file, universe.hierarchy().member(*field.declaration)))
        declared.emplace(field_text(universe, key), *std::move(guard));
    } catch (const jvm::ClassFormatError&) {  // the code can be used nevertheless
    }
  }
  return declared;
}

}  // namespace lockwood::java
