#include "base/process/stop.hpp"

namespace lockwood {

const char* to_string(StopReason reason) {
  switch (reason) {
    case StopReason::Timeout: return "time limit reached";
    case StopReason::Memory: return "memory limit reached";
    case StopReason::Cancelled: return "interrupted";
    case StopReason::States: return "too many states";
  }
  return "stopped";
}

}  // namespace lockwood
