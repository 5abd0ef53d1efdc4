#pragma once

#include <optional>
#include <string>

#include "base/process/stop.hpp"

namespace lockwood::frontend {

// The lines of a file descriptor as they arrive. Unlike a stream's, its waiting ends when a stop is requested.
class LineReader {
 public:
  LineReader(int descriptor, StopToken stop) : descriptor_{descriptor}, stop_{stop} {}
  // The next line without its end; nothing at the end of the input. Throws Interrupted, and InputError if the input
  // cannot be read or a line is absurdly long.
  [[nodiscard]] std::optional<std::string> next();

 private:
  int descriptor_;
  StopToken stop_;
  std::string pending_;
  bool ended_ = false;
};

}  // namespace lockwood::frontend
