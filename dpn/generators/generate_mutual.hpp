#pragma once

#include <cstddef>
#include <cstdint>

#include "base/process/stop.hpp"
#include "dpn/formats/model_file.hpp"

namespace lockwood::dpn {

struct MutualShape {
  std::size_t locks = 16;      // at least 2
  std::size_t procedures = 2;  // for each lock, at least 1
  std::size_t calls = 3;       // in each procedure, of any procedures
  std::size_t threads = 2;     // that main starts, at least 2
  std::uint64_t seed = 0;
};

// Procedures that call each other at random inside of nested monitors, as the synchronized methods of a few classes do:
// a thread may hold any set of locks almost anywhere, so sets of held locks multiply the contexts, though hardly any
// question depends on more than a few locks. Each procedure is a region of its lock, in which it accesses the variable
// of the lock, calls others, and sometimes enters one more monitor. Threads call any procedure, over and over.
//
// The queries, always these six: a race on the variable of lock 0 (unreachable); the regions of the first two locks at
// the same time (reachable); a race on the variable behind all regions (reachable); the first race after a step that
// leads into the region of the last lock (unreachable); the two regions after that step (reachable); and the race on
// the variable of the last lock (unreachable). Throws Interrupted if asked to stop.
[[nodiscard]] ModelFile generate_mutual(const MutualShape& shape, StopToken stop = {});

}  // namespace lockwood::dpn
