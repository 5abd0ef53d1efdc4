#pragma once

#include <map>
#include <set>
#include <vector>

#include "frontend/java/facts/constructors.hpp"

namespace lockwood::java {

// A write to a field in code.
struct FieldWrite {
  ProcedureId procedure;
  jvm::InstructionId instruction;
  jvm::Register value;
};

// All writes to fields, of objects and static ones, by field. Fields of models have none.
using FieldWrites = std::map<FieldKey, std::vector<FieldWrite>>;
[[nodiscard]] FieldWrites field_writes(const PointsTo& flow, const ProcedureCalls& calls);

// Fields that are written only in constructors of the same object (the initialiser of the class), before anybody else
// can see it, and once on each way: they never change while others look. Fields that are declared final and hold to
// this are among them.
[[nodiscard]] std::set<FieldKey> effectively_final_fields(const PointsTo& flow, const ProcedureCalls& calls,
                                                          const CodeShapes& shapes, const Constructors& constructors,
                                                          const FieldWrites& writes);

// Every constructor (the initialiser) has written the field when it returns normally, before anybody else can see the
// object.
[[nodiscard]] bool is_set_by_constructors(const PointsTo& flow, const ProcedureCalls& calls, const CodeShapes& shapes,
                                          const Constructors& constructors, const FieldWrites& writes, FieldKey field);

}  // namespace lockwood::java
