#include "frontend/python/running.hpp"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "base/watchdog.hpp"

namespace lockwood::python {
namespace {

constexpr std::chrono::milliseconds poll_every{20};

}  // namespace

// Python handles signals in the thread that called us, and only if it asks for them. So the computation has a thread of
// its own, and this one asks.
void run_interruptibly(std::optional<std::chrono::milliseconds> timeout,
                       const std::function<void(StopToken stop)>& computation) {
  StopSource source;
  std::mutex mutex;
  std::condition_variable ended_or_not;
  bool ended = false;
  std::exception_ptr problem;
  bool interrupted = false;
  {
    const Watchdog watchdog{source, {.timeout = timeout, .memory = {}}};
    std::thread worker{[&] {
      try {
        computation(StopToken{source});
      } catch (...) {
        problem = std::current_exception();
      }
      const std::lock_guard lock{mutex};
      ended = true;
      ended_or_not.notify_one();
    }};
    const auto waited = [&] {
      const pybind11::gil_scoped_release others;
      std::unique_lock lock{mutex};
      return ended_or_not.wait_for(lock, poll_every, [&] { return ended; });
    };
    while (!waited())
      if (!interrupted && PyErr_CheckSignals() != 0) {
        interrupted = true;
        source.request(StopReason::Cancelled);
      }
    worker.join();
  }
  if (interrupted) throw pybind11::error_already_set{};
  if (problem) std::rethrow_exception(problem);
}

}  // namespace lockwood::python
