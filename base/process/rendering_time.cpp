#include "base/process/rendering_time.hpp"

#include <chrono>

namespace lockwood {

StopToken RenderingTime::token() {
  constexpr std::chrono::milliseconds own_time{250};
  if (!run_.stop_requested()) return run_;
  if (!watchdog_) watchdog_.emplace(own_, Limits{.timeout = own_time, .memory = {}});
  return StopToken{own_};
}

}  // namespace lockwood
