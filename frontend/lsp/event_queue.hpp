#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>

#include "base/process/retry_on_bad_alloc.hpp"

namespace lockwood::lsp {

// What several threads tell one: the one waits for the next event, or until a time.
template <class Event>
class EventQueue {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // Throws std::bad_alloc if there is no memory for it, not even after a while.
  void push(Event event) {
    retry_on_bad_alloc([&] {
      const std::lock_guard lock{mutex_};
      events_.push_back(std::move(event));  // which moves nothing if it throws
    });
    woken_.notify_one();
  }

  // A thread cannot go on: whoever waits for events gets this instead, before all others. Needs no memory, which may
  // be what is lacking.
  void fail(std::exception_ptr failure) noexcept {
    {
      const std::lock_guard lock{mutex_};
      if (!failure_) failure_ = std::move(failure);
    }
    woken_.notify_one();
  }

  // The next event; nothing if there is none until the deadline. Without a deadline, waits for ever. Throws what a
  // thread has failed by.
  [[nodiscard]] std::optional<Event> next(std::optional<Time> deadline) {
    std::unique_lock lock{mutex_};
    const auto ready = [&] { return failure_ || !events_.empty(); };
    if (deadline) {
      if (!woken_.wait_until(lock, *deadline, ready)) return std::nullopt;
    } else {
      woken_.wait(lock, ready);
    }
    if (failure_) std::rethrow_exception(failure_);
    std::optional<Event> event{std::move(events_.front())};
    events_.pop_front();
    return event;
  }

 private:
  std::mutex mutex_;
  std::condition_variable woken_;
  std::deque<Event> events_;
  std::exception_ptr failure_;
};

}  // namespace lockwood::lsp
