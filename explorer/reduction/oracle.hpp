#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "explorer/machine/machine.hpp"

namespace lockwood::explorer {

// Threads of one state, by id. A byte each: there are few, and most questions are about one.
class ThreadSet {
 public:
  void reset(std::size_t threads) { members_.assign(threads, 0); }
  [[nodiscard]] std::size_t capacity() const { return members_.size(); }
  [[nodiscard]] bool contains(ThreadId thread) const {
    assert(thread.index() < members_.size());
    return members_[thread.index()] != 0;
  }
  void insert(ThreadId thread) {
    assert(thread.index() < members_.size());
    members_[thread.index()] = 1;
  }
  void erase(ThreadId thread) {
    assert(thread.index() < members_.size());
    members_[thread.index()] = 0;
  }

 private:
  std::vector<std::uint8_t> members_;
};

// Actions of some kinds on one object.
struct Conflict {
  KindSet kinds;
  std::uint32_t object = 0;
};

// What is asked of an oracle: can this thread, or one that it starts later, come to be before such an action while
// the frozen threads do not move? Stuck threads cannot move either, then.
struct Question {
  const ThreadSet& frozen;
  const ThreadSet& stuck;
  ThreadId thread;  // neither frozen nor stuck
  Conflict conflict;
  // What a frozen thread is about to do that depends on it. None if it is about who may notify.
  std::optional<Action> frozen_action = {};
};

// Who knows something about the future of threads: static facts come into the search through this door. The machine is
// at the state that the question is about.
class Oracle {
 public:
  Oracle() = default;
  Oracle(const Oracle&) = delete;
  Oracle& operator=(const Oracle&) = delete;
  virtual ~Oracle() = default;

  // True only if it is certain; false means "maybe".
  [[nodiscard]] virtual bool cannot_reach(const Machine& machine, const Question& question) = 0;
};

}  // namespace lockwood::explorer
