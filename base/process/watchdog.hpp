#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <stop_token>
#include <thread>

#include "base/process/stop.hpp"

namespace lockwood {

struct Limits {
  std::optional<std::chrono::milliseconds> timeout;
  std::optional<std::size_t> memory;  // resident bytes
};

// Resident bytes of this process, and of those that it has started, now.
[[nodiscard]] std::size_t resident_memory();

// How long the first thread of this process has been kept waiting for a processor; 0 if the system does not tell.
[[nodiscard]] std::chrono::nanoseconds waited_for_processor();

// Asks `source` to stop once a limit is exceeded, for as long as it lives. The source must outlive it. For a part of a
// computation with limits of its own, `outer` is the token of the whole, and its request to stop is passed on.
class Watchdog {
 public:
  Watchdog(StopSource& source, Limits limits, StopToken outer = {});

 private:
  std::jthread thread_;  // none if there is no limit to watch
};

}  // namespace lockwood
