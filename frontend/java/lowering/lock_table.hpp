#pragma once

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "frontend/java/lowering/cells.hpp"
#include "frontend/java/lowering/isolated.hpp"
#include "frontend/java/lowering/lock_regions.hpp"

namespace lockwood::java {

// What a region locks, as its code sees it.
struct LockedObjects {
  ObjectSet objects;
  LockKind kind = LockKind::Monitor;
  IsolatedFlags isolated;              // whether it is an isolated object
  std::optional<FieldKey> field = {};  // it was loaded from this final field
  IsolatedFlags base = {};             // of an object that may be isolated
};

// The regions of all methods, and which locks of the model they take. A lock that is not unique has a name if it is an
// isolated object, or if it is in a final field of one.
class LockTable {
 public:
  LockTable(const Facts& facts, Cells& cells, Purpose purpose);

  [[nodiscard]] const LockRegions& regions(ProcedureId procedure);
  // Of the region in this copy of its method.
  [[nodiscard]] ObjectSet locked_objects(CopyId copy, const LockRegion& region) const;
  // The final field that the lock was loaded from, and the register with the object of the field.
  struct FinalField {
    FieldKey field;
    jvm::Register base;
  };
  [[nodiscard]] std::optional<FinalField> final_field(ProcedureId procedure, const LockedValue& locked) const;

  // The locks that the region may take, and none if some object has no lock.
  [[nodiscard]] std::vector<program::LockChoice> choices(const LockedObjects& locked);
  // All names of locks that these objects may have.
  [[nodiscard]] std::vector<program::Lock> names(const ObjectSet& objects, LockKind kind);

 private:
  void find_fields();
  [[nodiscard]] bool is_named_by_field(FieldKey field, LockKind kind) const;

  const Facts& facts_;
  const PointsTo& flow_;
  Cells& cells_;
  Purpose purpose_;
  std::map<ProcedureId, LockRegions> regions_;
  // What regions lock that loaded it from a final field; and what others lock.
  std::map<std::pair<FieldKey, LockKind>, ObjectSet> by_field_;
  ObjectSet others_;
};

}  // namespace lockwood::java
