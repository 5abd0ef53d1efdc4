#pragma once

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "frontend/java/pointsto/points_to.hpp"

namespace lockwood::java::reference {

// Points-to analysis as it is defined: all statements of all copies, again and again, until no set changes. Slow.
// It knows nothing of edges, differences, orders, cycles and masks.
struct NaivePointsTo {
  using Copy = std::pair<ProcedureId, ContextId>;
  std::set<Copy> copies;
  std::map<std::pair<Copy, Local>, std::set<ObjectId>> locals;
  std::map<std::pair<ObjectId, FieldKey>, std::set<ObjectId>> fields;
  std::map<FieldKey, std::set<ObjectId>> statics;
  std::set<std::tuple<Copy, CallId, Copy>> calls;
  std::set<jvm::ClassId> initialised;
  std::size_t rounds = 0;
};

// On the universe of the given result, whose contexts it uses.
[[nodiscard]] NaivePointsTo naive_points_to(const PointsTo& result, const EntryPoint& entry);

// The first difference in words; empty if both say the same.
[[nodiscard]] std::string difference(const PointsTo& fast, const NaivePointsTo& slow);

}  // namespace lockwood::java::reference
