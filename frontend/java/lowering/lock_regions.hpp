#pragma once

#include <optional>
#include <vector>

#include "frontend/java/facts/facts.hpp"

namespace lockwood::java {

// Which instructions take and give back locks in a method, as regions: monitors, and the locks of java.util.concurrent
// that models take and give back for their callers. Regions nest, and each instruction is always in the same ones.
using LockRegionId = Id<struct LockRegionTag>;

// What is locked: the monitor of an object, or a lock of java.util.concurrent, which is another thing even if the
// object is the same.
enum class LockKind : std::uint8_t { Monitor, Lock };

// The register that tells which lock it is. A view of a lock, `rw.readLock()`, is known by the lock that it belongs to.
struct LockedValue {
  jvm::Register value;
  LockKind kind = LockKind::Monitor;
  bool is_view = false;   // the lock is `value`, and what is locked is a view of it
  bool is_owner = false;  // `value` is a view that was made elsewhere: the lock is what it belongs to
  bool shared = false;    // held for reading
};

// The edge of a branch on which `tryLock()` has returned true.
struct TriedEdge {
  jvm::Block from;
  jvm::Block to;
  friend bool operator==(const TriedEdge&, const TriedEdge&) = default;
};

struct LockRegion {
  jvm::InstructionId enter;
  std::vector<jvm::InstructionId> exits;  // sorted
  LockedValue locked;
  std::optional<LockRegionId> parent;
  std::optional<TriedEdge> tried;  // it begins there, if the lock is free, and not at `enter`
};

struct LockRegions {
  IdVector<LockRegionId, LockRegion> regions;
  // The innermost region around an instruction: before an enter, and inside before an exit.
  IdVector<jvm::InstructionId, std::optional<LockRegionId>> around;
  std::vector<jvm::InstructionId> ignored;  // that take or give back a lock and belong to no region
};

// What a call of code does to a lock of java.util.concurrent, whatever its callees are.
enum class LockAction { None, Acquire, Try, Release, Unclear };
struct LockCall {
  LockAction action = LockAction::None;
  const library::Effect* effect = nullptr;
  bool shared = false;
  bool of_owner = false;  // the lock is what the receiver belongs to, with some callee
};
[[nodiscard]] LockCall lock_call(const Facts& facts, ProcedureId procedure, jvm::InstructionId at);
// Of an instruction that enters or leaves a monitor, or is a call that acquires or releases a lock.
[[nodiscard]] LockedValue locked_value(const Facts& facts, ProcedureId procedure, jvm::InstructionId at);

[[nodiscard]] LockRegions lock_regions(const Facts& facts, ProcedureId procedure);

}  // namespace lockwood::java
