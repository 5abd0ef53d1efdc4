#include "base/process/started_process.hpp"

#include <array>
#include <csignal>

namespace lockwood {
namespace {

std::array<std::atomic<pid_t>, 64> leaders{};

}  // namespace

StartedProcess::StartedProcess(pid_t leader) {
  for (std::atomic<pid_t>& place : leaders) {
    pid_t none = 0;
    if (!place.compare_exchange_strong(none, leader)) continue;
    place_ = &place;
    return;
  }
}

StartedProcess::~StartedProcess() {
  if (place_ != nullptr) place_->store(0);
}

std::span<const std::atomic<pid_t>> started_processes() { return leaders; }

void kill_started_processes() {
  for (const std::atomic<pid_t>& place : leaders)
    if (const pid_t leader = place.load(); leader != 0) ::kill(-leader, SIGKILL);
}

}  // namespace lockwood
