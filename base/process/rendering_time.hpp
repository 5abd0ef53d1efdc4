#pragma once

#include <optional>

#include "base/process/stop.hpp"
#include "base/process/watchdog.hpp"

namespace lockwood {

// How long what is known may be brought into words: until the run is asked to stop, and from then on for a short time
// of its own, which is over before the run is cut off.
class RenderingTime {
 public:
  explicit RenderingTime(StopToken run) : run_{run} {}

  // For the next piece of work. Must not outlive this.
  [[nodiscard]] StopToken token();

 private:
  StopToken run_;
  StopSource own_;
  std::optional<Watchdog> watchdog_;  // of the own time, once it has begun
};

}  // namespace lockwood
