#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>

namespace lockwood::lsp {

// What several threads tell one: the one waits for the next event, or until a time.
template <class Event>
class EventQueue {
 public:
  using Time = std::chrono::steady_clock::time_point;

  void push(Event event) {
    {
      const std::lock_guard lock{mutex_};
      events_.push_back(std::move(event));
    }
    woken_.notify_one();
  }

  // The next event; nothing if there is none until the deadline. Without a deadline, waits for ever.
  [[nodiscard]] std::optional<Event> next(std::optional<Time> deadline) {
    std::unique_lock lock{mutex_};
    const auto ready = [&] { return !events_.empty(); };
    if (deadline) {
      if (!woken_.wait_until(lock, *deadline, ready)) return std::nullopt;
    } else {
      woken_.wait(lock, ready);
    }
    std::optional<Event> event{std::move(events_.front())};
    events_.pop_front();
    return event;
  }

 private:
  std::mutex mutex_;
  std::condition_variable woken_;
  std::deque<Event> events_;
};

}  // namespace lockwood::lsp
