#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "frontend/java/pointsto/universe.hpp"

namespace lockwood::java {

// What a call of reflection does for one subject.
struct Reflected {
  std::vector<ObjectId> results;
  std::vector<ProcedureId> methods;         // that it runs, with any of the arguments
  std::vector<ObjectId> receivers;          // of those that are not static
  std::optional<jvm::ClassId> initialised;  // a class that it initialises
  std::optional<ObjectId> made;             // an object that it makes: one of the results
  std::string_view gap;                     // what is not known; empty if all is
};

// `subject`, `names` and `receivers` are objects that the locals of the statement hold.
[[nodiscard]] Reflected reflect(Universe& universe, ProcedureId procedure, const Reflect& statement, ContextId context,
                                ObjectId subject, const std::vector<ObjectId>& names,
                                const std::vector<ObjectId>& receivers);

}  // namespace lockwood::java
