#pragma once

#include <string>

#include "frontend/java/pointsto/points_to.hpp"

namespace lockwood::java {

// For people and golden files: what an object is and where it is made.
//   java.lang.Object made in pkg.Main.<clinit>(), Main.java:3
//   class pkg.Main    "text"    unknown java.lang.String    java.lang.NullPointerException of the machine
[[nodiscard]] std::string object_text(const Universe& universe, ObjectId object);
// "[allocation or call, …]" with the nearest one first; empty for the empty context.
[[nodiscard]] std::string context_text(const Universe& universe, ContextId context);
[[nodiscard]] std::string copy_text(const PointsTo& flow, CopyId copy);
// pkg.Main.f, or the name of a model's field.
[[nodiscard]] std::string field_text(const Universe& universe, FieldKey field);

}  // namespace lockwood::java
