#pragma once

#include <map>
#include <optional>
#include <vector>

#include "frontend/java/facts/constructors.hpp"

namespace lockwood::java {

// Which references are to objects that no other thread can have: from the allocation on, until the object is stored
// somewhere, captured, thrown, or passed to a callee that does so. Accesses to such objects take part in no race.
class Ownership {
 public:
  Ownership(const PointsTo& flow, const ProcedureCalls& calls, const CodeShapes& shapes, StopToken stop = {});

  // The register holds an object that only the running thread can have, when the instruction begins.
  [[nodiscard]] bool is_owned(ProcedureId procedure, jvm::Register value, jvm::InstructionId at) const;
  // Every result is a new object that nobody else has.
  [[nodiscard]] bool is_result_owned(ProcedureId procedure) const { return fresh_[procedure.index()]; }
  // All callers own what they pass.
  [[nodiscard]] bool is_parameter_owned(ProcedureId procedure, std::size_t number) const {
    return owned_[procedure.index()][number];
  }
  // The callee lets others have what it is passed.
  [[nodiscard]] bool lets_escape(ProcedureId procedure, std::size_t number) const {
    return escapes_[procedure.index()][number];
  }

 private:
  // Registers that may hold what `root` holds, and where it gets out.
  struct Tracked {
    jvm::Register root;
    std::vector<jvm::InstructionId> exits;  // by stores, captures, throws and calls
    std::vector<jvm::InstructionId> returns;
  };
  [[nodiscard]] Tracked track(ProcedureId id, jvm::Register root) const;
  [[nodiscard]] bool gets_out(ProcedureId id, jvm::InstructionId at, std::size_t operand) const;
  [[nodiscard]] bool has_left_before(ProcedureId id, const Tracked& tracked, jvm::InstructionId at) const;
  void find_escapes();
  void find_owned();
  [[nodiscard]] bool passes_owned(const ProcedureCall& edge, std::size_t parameter) const;
  [[nodiscard]] std::optional<jvm::Register> root_of(ProcedureId id, jvm::Register value) const;
  [[nodiscard]] bool begins_owned(ProcedureId id, jvm::Register root) const;
  [[nodiscard]] const Tracked& tracked(ProcedureId id, jvm::Register root) const;

  const PointsTo& flow_;
  const ProcedureCalls& calls_;
  const CodeShapes& shapes_;
  std::vector<std::vector<bool>> escapes_;  // by procedure and parameter
  std::vector<std::vector<bool>> owned_;
  std::vector<bool> fresh_;
  mutable std::vector<std::vector<std::optional<jvm::Register>>> roots_;      // by procedure and value number
  mutable std::map<std::pair<ProcedureId, jvm::Register>, Tracked> tracked_;  // when escapes are known
};

}  // namespace lockwood::java
