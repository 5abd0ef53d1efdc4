#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "explorer/machine/action.hpp"

// The interface between the search and whatever is searched.
namespace lockwood::explorer {

enum class ThreadStatus : std::uint8_t {
  Absent,    // not started on this run
  Standing,  // before a visible action
  Waiting,   // in the wait set of a monitor
  Failed,    // stopped by a failed assertion or an exception that nobody caught; keeps what it holds
  Ended
};

enum class Failure : std::uint8_t { Assertion, Exception };

// One thread, as others may see it.
struct ThreadView {
  ThreadStatus status = ThreadStatus::Absent;
  // Standing: the action that comes next. Waiting: Reacquire of the monitor, which a notification makes possible.
  // Failed: only the site counts.
  Action next;
  bool enabled = false;        // Standing, and the action can be executed now
  std::uint32_t outcomes = 1;  // of the action, if enabled: data choices, or the waiting threads that it may notify
  // Standing, not enabled: a thread without which it stays so, the owner of the monitor or a thread that is joined.
  std::optional<ThreadId> blocked_on;
  Failure failure = Failure::Assertion;  // Failed

  [[nodiscard]] bool is_blocked() const {
    return status == ThreadStatus::Waiting || (status == ThreadStatus::Standing && !enabled);
  }
};

// A step of a run: the thread whose action is executed, and how it comes out. A notification of one thread comes out as
// the k-th of the threads that wait for the monitor, in the order of their ids.
struct Step {
  ThreadId thread{0};
  std::uint32_t outcome = 0;
  friend auto operator<=>(const Step&, const Step&) = default;
};

// A bound of the machine, met by a step: nothing is known about what comes after it.
enum class Bound : std::uint8_t { StackDepth, Threads, Instructions };

[[nodiscard]] const char* to_string(Bound bound);

// Anything with threads that take visible steps. Between the calls it is at a stable state: every thread has ended or
// failed, waits, or is before a visible action; what is invisible runs at once. Open on purpose: the search does
// not know what it runs.
//
// Laws. The same steps from the same state lead to the same state. Equal component vectors mean equal states, and a
// thread has the same id on every run: names are given by who starts whom, not by the order of time. Actions that do
// not depend on each other (dependence.hpp) commute: both orders lead to equal vectors.
class Machine {
 public:
  Machine() = default;
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;
  virtual ~Machine() = default;

  // The threads of the current state, by id. Ids of absent threads occur. The span is good until the machine moves.
  [[nodiscard]] virtual std::span<const ThreadView> threads() const = 0;

  // Executes the next action of an enabled thread, and all invisible ones after it. If a bound was met, the only thing
  // that may be done is to go back.
  virtual std::optional<Bound> step(Step step) = 0;

  // Going back: undo(mark) leads to the state in which mark() was called. Marks are undone in reverse order, and are
  // lost by restore().
  [[nodiscard]] virtual std::size_t mark() const = 0;
  virtual void undo(std::size_t mark) = 0;

  // The state as numbers, each of a component of its own position. A vector is the same with more zeros behind it. The
  // span is good until the machine moves.
  [[nodiscard]] virtual std::span<const std::uint32_t> components() = 0;
  // Goes to the state that had this vector. Components that are equal to the current ones cost nothing.
  virtual void restore(std::span<const std::uint32_t> components) = 0;

  // For people.
  [[nodiscard]] virtual std::string name(ThreadId thread) const = 0;
};

[[nodiscard]] inline const ThreadView& view(const Machine& machine, ThreadId thread) {
  const auto threads = machine.threads();
  assert(thread.index() < threads.size());
  return threads[thread.index()];
}

// The threads that a notification of this monitor can wake, ascending.
[[nodiscard]] std::vector<ThreadId> waiting_for(const Machine& machine, Monitor monitor);

// Whether the views are as the comments above promise: throws std::logic_error saying what is not.
void check_views(const Machine& machine);

}  // namespace lockwood::explorer
