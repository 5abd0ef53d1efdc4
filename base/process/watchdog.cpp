#include "base/process/watchdog.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>

#include "base/process/started_process.hpp"

namespace lockwood {

namespace {

// The second number in the file; 0 if there is none. Neither this nor the thread below needs memory of its own: they
// are there for when there is none left.
unsigned long long second_number_in(const char* path) {
  std::array<char, 128> text{};
  const int file = ::open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  const ssize_t size = ::read(file, text.data(), text.size() - 1);
  ::close(file);
  if (size <= 0) return 0;
  char* rest = nullptr;
  std::strtoull(text.data(), &rest, 10);
  return std::strtoull(rest, nullptr, 10);
}

}  // namespace

std::size_t resident_memory() {  // all pages, those that are resident, …
  std::size_t pages = second_number_in("/proc/self/statm");
  for (const std::atomic<pid_t>& leader : started_processes()) {
    if (leader.load() == 0) continue;
    std::array<char, 32> path{};
    std::snprintf(path.data(), path.size(), "/proc/%ld/statm", static_cast<long>(leader.load()));
    pages += second_number_in(path.data());
  }
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

std::chrono::nanoseconds waited_for_processor() {  // how long it ran, how long it waited, …
  return std::chrono::nanoseconds{second_number_in("/proc/self/schedstat")};
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
    std::condition_variable woken;  // one that knows stop tokens would need memory
    const std::stop_callback wake{ended, [&] {
                                    const std::lock_guard waiting{mutex};
                                    woken.notify_one();
                                  }};
    std::unique_lock lock{mutex};
    while (!ended.stop_requested()) {
      if (const auto reason = outer.reason()) return source.request(*reason);
      if (limits.timeout && std::chrono::steady_clock::now() - start >= *limits.timeout)
        return source.request(StopReason::Timeout);
      if (limits.memory && resident_memory() > *limits.memory) return source.request(StopReason::Memory);
      woken.wait_for(lock, std::chrono::milliseconds{10});
    }
  }};
}

}  // namespace lockwood
