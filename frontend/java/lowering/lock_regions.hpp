#pragma once

#include <optional>
#include <vector>

#include "frontend/java/facts/facts.hpp"

namespace lockwood::java {

// Which instructions take and give back locks in a method, as regions: monitors, and the locks of java.util.concurrent
// that models take and give back for their callers. Regions nest, and each instruction is always in the same ones.
using LockRegionId = Id<struct LockRegionTag>;

struct LockRegion {
  jvm::InstructionId enter;
  std::vector<jvm::InstructionId> exits;  // sorted
  jvm::Register object;
  bool is_monitor = true;
  std::optional<LockRegionId> parent;
};

struct LockRegions {
  IdVector<LockRegionId, LockRegion> regions;
  // The innermost region around an instruction: before an enter, and inside before an exit.
  IdVector<jvm::InstructionId, std::optional<LockRegionId>> around;
  std::vector<jvm::InstructionId> ignored;  // that take or give back a lock and belong to no region
};

// What a call of code does to a lock of java.util.concurrent, whatever its callees are.
enum class LockAction { None, Acquire, Release, Unclear };
struct LockCall {
  LockAction action = LockAction::None;
  const library::Effect* effect = nullptr;
};
[[nodiscard]] LockCall lock_call(const Facts& facts, ProcedureId procedure, jvm::InstructionId at);

[[nodiscard]] LockRegions lock_regions(const Facts& facts, ProcedureId procedure);

}  // namespace lockwood::java
