#pragma once

#include <cstddef>
#include <cstdint>

#include "dpn/formats/model_file.hpp"

namespace lockwood::dpn {

struct ApplicationShape {
  std::size_t rules = 1000;  // at least least_rules of the rest
  std::size_t locks = 4;
  std::size_t depth = 2;      // of monitors inside each other
  std::size_t threads = 4;    // that main starts, each once
  std::size_t variables = 4;  // shared and not guarded; guarded ones come with the locks
  std::uint64_t seed = 0;
};

// Below so many rules there is no room for the locks and threads of the shape.
[[nodiscard]] std::size_t least_rules(const ApplicationShape& shape);

// A random model that is like a large application, for measuring growth: many small procedures, most of them without
// locks; a tenth of them with a region of nested monitors; utilities that are also called from inside of regions; few
// places where a thread is started. Neighbouring locks are used together, mostly in the same order. A variable that is
// guarded by a lock is accessed only inside of its monitor. Has exactly the number of rules of the shape, and each
// position can be reached.
//
// The queries, always these eight, in this order: the last exit (reachable); a race on the variable that lock 0 guards
// (unreachable); the start of main together with an access in another thread (unreachable, whatever the locks are); a
// race on a variable without guard; a definition of the guarded variable that reaches a use; and the race on it again
// after one, two and three steps that lead to a write of it (unreachable). Throws Interrupted if asked to stop.
[[nodiscard]] ModelFile generate_application(const ApplicationShape& shape, StopToken stop = {});

}  // namespace lockwood::dpn
