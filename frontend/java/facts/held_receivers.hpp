#pragma once

#include <vector>

#include "frontend/java/facts/constructors.hpp"

namespace lockwood::java {

// Where the monitor of an object is surely held: in a region or synchronized method of that object around the
// instruction, in this method or, for `this`, in all callers.
class HeldReceivers {
 public:
  HeldReceivers(const PointsTo& flow, const ProcedureCalls& calls, const CodeShapes& shapes,
                const Constructors& constructors);

  [[nodiscard]] bool is_held(ProcedureId procedure, jvm::Register object, jvm::InstructionId at) const;
  // All callers hold the monitor of the receiver.
  [[nodiscard]] bool is_this_held(ProcedureId procedure) const { return this_held_[procedure.index()]; }

 private:
  const PointsTo& flow_;
  const ProcedureCalls& calls_;
  const CodeShapes& shapes_;
  const Constructors& constructors_;
  std::vector<bool> this_held_;  // by procedure
};

}  // namespace lockwood::java
