#pragma once

#include <cstddef>

#include "frontend/program/ir/expression.hpp"

namespace lockwood::program {

// How a thread lies in memory: these words, then its frames, the outermost first. A thread that does not exist has no
// words, one that has ended only these.
struct ThreadWords {
  enum class Status : Integer { Absent, Running, Waiting, Notified, Failed, Uncaught, Ended };
  static constexpr std::size_t status = 0;
  static constexpr std::size_t spawned = 1;   // threads, so far
  static constexpr std::size_t given_up = 2;  // how often a waiting thread held its lock
  static constexpr std::size_t base = 3;      // of the innermost frame
  static constexpr std::size_t frames = 4;
  static constexpr std::size_t size = 5;
};

// The words of a frame.
struct FrameWords {
  static constexpr std::size_t below = 0;  // the base of the frame that called it
  static constexpr std::size_t site = 1;
  static constexpr std::size_t locals = 2;  // and all that follow
};

}  // namespace lockwood::program
