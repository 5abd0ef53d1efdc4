#include "base/watchdog.hpp"

#include <unistd.h>

#include <condition_variable>
#include <fstream>
#include <mutex>

namespace lockwood {

std::size_t resident_memory() {
  std::ifstream statm{"/proc/self/statm"};
  std::size_t total = 0;
  std::size_t resident = 0;
  statm >> total >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

Watchdog::Watchdog(StopSource& source, Limits limits, StopToken outer) {
  if (const auto reason = outer.reason()) {
    source.request(*reason);
    return;
  }
  if (!limits.timeout && !limits.memory) return;
  const auto start = std::chrono::steady_clock::now();
  thread_ = std::jthread{[&source, limits, outer, start](const std::stop_token& ended) {
    std::mutex mutex;
    std::condition_variable_any woken;
    std::unique_lock lock{mutex};
    while (!ended.stop_requested()) {
      if (const auto reason = outer.reason()) return source.request(*reason);
      if (limits.timeout && std::chrono::steady_clock::now() - start >= *limits.timeout)
        return source.request(StopReason::Timeout);
      if (limits.memory && resident_memory() > *limits.memory) return source.request(StopReason::Memory);
      woken.wait_for(lock, ended, std::chrono::milliseconds{10}, [] { return false; });
    }
  }};
}

}  // namespace lockwood
