#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>

#include "base/ids/random.hpp"

namespace lockwood::solver {

// Which reachable answers of a run are replayed in the small-step semantics though nobody asked for their witnesses:
// all until one was replayed, and then some, drawn by a seed. So a run that gives away reachable verdicts has proved at
// least one of them, unless their witnesses are too large or there was no time; a mistake that makes many answers wrong
// does not stay hidden. Several threads may use one sample.
class ReplaySample {
 public:
  explicit ReplaySample(std::uint64_t seed) : random_{seed} {}

  // Whether the next answer should be replayed: yes until one was, and then one in so many.
  [[nodiscard]] bool draws(std::size_t one_in) {
    const std::lock_guard lock{mutex_};
    return replayed_ == 0 || random_.below(one_in) == 0;
  }
  // One of so many.
  [[nodiscard]] std::size_t any_of(std::size_t count) {
    const std::lock_guard lock{mutex_};
    return random_.below(count);
  }
  void count_replayed() {
    const std::lock_guard lock{mutex_};
    ++replayed_;
  }
  [[nodiscard]] std::size_t replayed() const {
    const std::lock_guard lock{mutex_};
    return replayed_;
  }

 private:
  mutable std::mutex mutex_;
  Random random_;
  std::size_t replayed_ = 0;
};

}  // namespace lockwood::solver
