#pragma once

#include <sys/types.h>

#include <atomic>
#include <span>

namespace lockwood {

// A process that this one has started, the leader of a group of its own, for as long as this lives. The memory that it
// takes counts as ours (watchdog.hpp), and if we have to end at once, its group ends with us.
class StartedProcess {
 public:
  explicit StartedProcess(pid_t leader);
  ~StartedProcess();
  StartedProcess(const StartedProcess&) = delete;
  StartedProcess& operator=(const StartedProcess&) = delete;

 private:
  std::atomic<pid_t>* place_ = nullptr;  // none if there are too many of them
};

// The leaders; 0 stands for none.
[[nodiscard]] std::span<const std::atomic<pid_t>> started_processes();

// For who ends without running destructors.
void kill_started_processes();

}  // namespace lockwood
