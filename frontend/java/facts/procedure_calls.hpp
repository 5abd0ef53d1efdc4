#pragma once

#include <span>
#include <vector>

#include "frontend/java/pointsto/points_to.hpp"

namespace lockwood::java {

// The call graph without contexts: facts about values hold in all copies of a procedure.
struct ProcedureCall {
  ProcedureId caller;
  CallId call;
  ProcedureId callee;
  friend auto operator<=>(const ProcedureCall&, const ProcedureCall&) = default;
};

struct ProcedureCalls {
  std::vector<ProcedureId> reached;                 // in order
  std::vector<std::vector<ProcedureCall>> calls;    // by caller, in order
  std::vector<std::vector<ProcedureCall>> callers;  // by callee, in order
  std::vector<std::vector<CopyId>> copies;          // by procedure, in order

  [[nodiscard]] const std::vector<ProcedureCall>& calls_of(ProcedureId id) const { return calls[id.index()]; }
  // Of the calls that the instruction makes. Of code.
  [[nodiscard]] std::span<const ProcedureCall> calls_at(const Universe& universe, ProcedureId id,
                                                        jvm::InstructionId at) const;
  [[nodiscard]] const std::vector<ProcedureCall>& callers_of(ProcedureId id) const { return callers[id.index()]; }
  [[nodiscard]] const std::vector<CopyId>& copies_of(ProcedureId id) const { return copies[id.index()]; }
};

[[nodiscard]] ProcedureCalls procedure_calls(const PointsTo& flow);

// All objects that the register may hold in some copy.
[[nodiscard]] ObjectSet objects_in_all_copies(const PointsTo& flow, const ProcedureCalls& calls, ProcedureId procedure,
                                              jvm::Register value);

}  // namespace lockwood::java
