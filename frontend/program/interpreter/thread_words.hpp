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

// What a thread knows of threads that it may wait for: records of three words each, beside its frames, the oldest
// first. A finish region has a record of its own, and the threads that are started inside of it come behind. Whoever
// has been waited for has no record any more.
struct MemberWords {
  static constexpr std::size_t frame = 0;   // that has the group or the region, counted from 1
  static constexpr std::size_t slot = 1;    // one of these, or `group` and the number of a group
  static constexpr std::size_t member = 2;  // twice the number of the thread, and 1 if its offspring counts, too
  static constexpr std::size_t size = 3;

  static constexpr Integer region = 0;     // a finish region begins; no member
  static constexpr Integer in_region = 1;  // started in the innermost region that begins before
  static constexpr Integer group = 2;
};

// The words of a frame.
struct FrameWords {
  static constexpr std::size_t below = 0;  // the base of the frame that called it
  static constexpr std::size_t site = 1;
  static constexpr std::size_t locals = 2;  // and all that follow
};

}  // namespace lockwood::program
