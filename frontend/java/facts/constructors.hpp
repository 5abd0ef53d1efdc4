#pragma once

#include <vector>

#include "frontend/java/facts/code_shape.hpp"
#include "frontend/java/facts/procedure_calls.hpp"

namespace lockwood::java {

// What constructors do with the object that they make.
class Constructors {
 public:
  Constructors(const PointsTo& flow, const ProcedureCalls& calls, const CodeShapes& shapes);

  // The procedure uses `this` for nothing but its fields, and calls of constructors that are quiet: nobody else can see
  // the object until it returns.
  [[nodiscard]] bool is_quiet(ProcedureId id) const { return quiet_[id.index()]; }
  // The instructions by which somebody else may see `this`: stores, captures, and calls that are not quiet.
  [[nodiscard]] const std::vector<jvm::InstructionId>& leaks(ProcedureId id) const { return leaks_[id.index()]; }
  // The constructor leaves the fields to another constructor of the class.
  [[nodiscard]] bool delegates(ProcedureId id) const { return delegates_[id.index()]; }
  // The register is `this`, or equal to it.
  [[nodiscard]] bool is_this(ProcedureId id, jvm::Register value) const;
  // No leak can come before the instruction.
  [[nodiscard]] bool is_unseen_at(ProcedureId id, jvm::InstructionId at) const;

 private:
  [[nodiscard]] std::vector<jvm::InstructionId> find_leaks(ProcedureId id) const;

  const PointsTo& flow_;
  const ProcedureCalls& calls_;
  const CodeShapes& shapes_;
  std::vector<bool> quiet_;  // by procedure
  std::vector<bool> delegates_;
  std::vector<std::vector<jvm::InstructionId>> leaks_;
};

}  // namespace lockwood::java
