#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "base/process/stop.hpp"
#include "dpn/model/network.hpp"
#include "frontend/program/lowering/lowering.hpp"

namespace lockwood::findings {

// Which locks a thread holds when it is at a stack symbol.
struct HeldLocks {
  bool visited = false;              // a thread can stand there, as far as its own locks say
  std::vector<dpn::Lock> always;     // ascending
  std::vector<dpn::Lock> sometimes;  // ascending: in some context but not in all
  std::vector<dpn::Lock> reading;    // ascending: always, perhaps only for reading; with `always`
};

// For every stack symbol, from one run of the engine that visits all contexts. Contexts are those of single threads, so
// a symbol may be visited here that no thread can reach because of the locks of others. Beyond so many contexts
// (default: `many_contexts`), sets of held locks are not enumerated (thread_locks.hpp). Throws Interrupted.
[[nodiscard]] IdVector<dpn::StackSymbol, HeldLocks> held_locks(const dpn::Network& network, StopToken stop = {},
                                                               std::optional<std::size_t> max_contexts = {});

// The same for the locks of the program, also where its model ignores them: a thread that waits for a lock somewhere
// inside of a region has the lock whenever it does anything else there.
[[nodiscard]] IdVector<dpn::StackSymbol, HeldLocks> held_locks(const program::Lowered& lowered, StopToken stop = {});

// The locks that the model ignores at some place that control can get to, ascending.
[[nodiscard]] std::vector<dpn::Lock> ignored_locks(const program::Lowered& lowered);

// The same for all symbols of a set together.
[[nodiscard]] HeldLocks held_at(const IdVector<dpn::StackSymbol, HeldLocks>& held,
                                const std::vector<dpn::StackSymbol>& symbols);

}  // namespace lockwood::findings
