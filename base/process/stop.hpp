#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <limits>
#include <optional>

namespace lockwood {

// Why a computation was asked to stop before its end.
enum class StopReason { Timeout, Memory, Cancelled, States };

[[nodiscard]] const char* to_string(StopReason reason);

// Thrown by computations that have no partial answer to give when they are stopped (StopToken::check).
// Computations that do have one return it as a value instead.
class Interrupted : public std::exception {
 public:
  explicit Interrupted(StopReason reason) : reason_{reason} {}
  [[nodiscard]] StopReason reason() const { return reason_; }
  [[nodiscard]] const char* what() const noexcept override { return to_string(reason_); }

 private:
  StopReason reason_;
};

// How far a computation is, in what it has found so far.
struct ReportedWork {
  std::size_t contexts = 0;
  std::size_t facts = 0;
};

// Who may ask a computation to stop: a watchdog over limits, a signal handler, another thread. The first reason stays.
// In return the computation tells how far it is.
class StopSource {
 public:
  void request(StopReason reason) noexcept {
    int expected = 0;
    flag_.compare_exchange_strong(expected, static_cast<int>(reason) + 1, std::memory_order_relaxed);
  }
  void reset() noexcept { flag_.store(0, std::memory_order_relaxed); }

  // As last reported; of one computation, if several have the token.
  [[nodiscard]] ReportedWork work() const noexcept {
    return {contexts_.load(std::memory_order_relaxed), facts_.load(std::memory_order_relaxed)};
  }
  void forget_work() noexcept {
    contexts_.store(0, std::memory_order_relaxed);
    facts_.store(0, std::memory_order_relaxed);
  }

 private:
  friend class StopToken;
  std::atomic<int> flag_{0};
  mutable std::atomic<std::size_t> contexts_{0};  // reported through tokens, which cannot change anything else
  mutable std::atomic<std::size_t> facts_{0};
  static_assert(std::atomic<int>::is_always_lock_free);  // so that a signal handler may call request
};

// What a computation polls in its loops: one relaxed load. A default token never stops. The source must outlive it.
class StopToken {
 public:
  StopToken() = default;
  explicit StopToken(const StopSource& source) : source_{&source} {}
  [[nodiscard]] bool stop_requested() const { return flag() != 0; }
  [[nodiscard]] std::optional<StopReason> reason() const {
    const int flag = this->flag();
    return flag == 0 ? std::nullopt : std::optional{static_cast<StopReason>(flag - 1)};
  }
  // Two relaxed stores: for whoever wants to watch.
  void report_progress(ReportedWork work) const {
    if (source_ == nullptr) return;
    source_->contexts_.store(work.contexts, std::memory_order_relaxed);
    source_->facts_.store(work.facts, std::memory_order_relaxed);
  }
  // Throws Interrupted if a stop was requested.
  void check() const {
    if (const auto why = reason()) throw Interrupted{*why};
  }

  // The same, and a limit for computations that make the states of an automaton, those of its intermediate results
  // included.
  [[nodiscard]] StopToken with_state_limit(std::size_t states) const {
    StopToken limited = *this;
    limited.state_limit_ = states;
    return limited;
  }
  // Throws Interrupted if there are more states than allowed.
  void check_states(std::size_t count) const {
    if (count > state_limit_) throw Interrupted{StopReason::States};
  }

 private:
  [[nodiscard]] int flag() const { return source_ == nullptr ? 0 : source_->flag_.load(std::memory_order_relaxed); }

  const StopSource* source_ = nullptr;
  std::size_t state_limit_ = std::numeric_limits<std::size_t>::max();
};

}  // namespace lockwood
