#pragma once

#include <memory>
#include <vector>

#include "frontend/java/facts/final_fields.hpp"
#include "frontend/java/facts/value_checks.hpp"

namespace lockwood::java {

// Which values are never null, in any copy of their procedure: `this`, new objects, constants, what was dereferenced or
// tested before, parameters to which every call passes such values, results that are always such, and fields all of
// whose writes are such and which constructors set before anybody sees the object. A greatest fixed point: all values
// are such until a reason against it is found.
class Nullness {
 public:
  Nullness(const PointsTo& flow, const ProcedureCalls& calls, const CodeShapes& shapes,
           const Constructors& constructors, const FieldWrites& writes, StopToken stop = {});

  // Of code: when the instruction is reached, the register is not null.
  [[nodiscard]] bool is_not_null(ProcedureId procedure, jvm::Register value, jvm::InstructionId at) const;
  [[nodiscard]] bool is_parameter_not_null(ProcedureId procedure, std::size_t number) const {
    return parameters_[procedure.index()][number];
  }
  [[nodiscard]] bool is_result_not_null(ProcedureId procedure) const { return results_[procedure.index()]; }
  [[nodiscard]] bool is_field_not_null(FieldKey field) const { return fields_[field.index()]; }

 private:
  void prepare();
  bool update(ProcedureId id);
  [[nodiscard]] bool computed(ProcedureId id, jvm::InstructionId at) const;
  [[nodiscard]] bool computed_result(ProcedureId id) const;
  [[nodiscard]] bool passes(const ProcedureCall& call, std::size_t parameter) const;
  [[nodiscard]] bool is_set(ProcedureId id, FieldKey field, jvm::InstructionId at) const;
  [[nodiscard]] bool callee_results(ProcedureId id, jvm::InstructionId at) const;

  const PointsTo& flow_;
  const ProcedureCalls& calls_;
  const CodeShapes& shapes_;
  const FieldWrites& writes_;
  std::vector<std::unique_ptr<NullChecks>> checks_;       // by procedure
  std::vector<IdVector<jvm::Register, bool>> registers_;  // by procedure, of code
  std::vector<std::vector<bool>> parameters_;             // by procedure
  std::vector<bool> results_;                             // by procedure
  std::vector<bool> fields_;                              // by field
};

}  // namespace lockwood::java
