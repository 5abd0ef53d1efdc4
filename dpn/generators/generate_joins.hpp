#pragma once

#include <cstddef>

#include "base/process/stop.hpp"
#include "dpn/formats/model_file.hpp"

// Models in which threads wait for threads, as large as wanted, with queries and their verdicts. Each has at most ten
// rules for a thread or procedure.
namespace lockwood::dpn {

// A binary tree of threads: each starts two others, works in a monitor meanwhile, and joins both.
[[nodiscard]] ModelFile generate_fork_join(std::size_t threads, std::size_t locks, StopToken stop = {});

// Main starts workers of different kinds, joins all of them, and begins again. Each works in a monitor.
[[nodiscard]] ModelFile generate_join_pool(std::size_t workers, std::size_t locks, StopToken stop = {});

// A chain of stages: each starts the next one, works in a monitor, and waits for it.
[[nodiscard]] ModelFile generate_pipeline(std::size_t stages, std::size_t locks, StopToken stop = {});

// Procedures that call each other in nested finish blocks. Each starts a thread, which starts another one, and waits
// for all that was started inside.
[[nodiscard]] ModelFile generate_nested_finish(std::size_t levels, std::size_t locks, StopToken stop = {});

}  // namespace lockwood::dpn
