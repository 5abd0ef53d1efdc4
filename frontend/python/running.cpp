#include "frontend/python/running.hpp"

#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "base/process/watchdog.hpp"

namespace lockwood::python {
namespace {

constexpr std::chrono::milliseconds poll_every{20};

// The end of a computation in another thread.
class Ending {
 public:
  void run(const std::function<void()>& computation) {
    std::exception_ptr problem;
    try {
      computation();
    } catch (...) {
      problem = std::current_exception();
    }
    const std::lock_guard lock{mutex_};
    ended_ = true;
    problem_ = problem;
    changed_.notify_one();
  }
  // Waits a while, and lets other Python threads run. Whether it has ended.
  bool waited() {
    const pybind11::gil_scoped_release others;
    std::unique_lock lock{mutex_};
    return changed_.wait_for(lock, poll_every, [&] { return ended_; });
  }
  void rethrow() const {
    if (problem_) std::rethrow_exception(problem_);
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ended_ = false;
  std::exception_ptr problem_;
};

}  // namespace

// Python handles signals in the thread that called us, and only if it asks for them. So the computation has a thread of
// its own, and this one asks.
void run_interruptibly(std::optional<std::chrono::milliseconds> timeout,
                       const std::function<void(StopToken stop)>& computation) {
  StopSource source;
  Ending ending;
  bool interrupted = false;
  {
    const Watchdog watchdog{source, {.timeout = timeout, .memory = {}}};
    std::thread worker{[&] { ending.run([&] { computation(StopToken{source}); }); }};
    while (!ending.waited())
      if (!interrupted && PyErr_CheckSignals() != 0) {
        interrupted = true;
        source.request(StopReason::Cancelled);
      }
    worker.join();
  }
  if (interrupted) throw pybind11::error_already_set{};
  ending.rethrow();
}

void run_or_abandon(std::function<void()> computation) {
  const auto ending = std::make_shared<Ending>();
  std::thread worker{[ending, computation = std::move(computation)] { ending->run(computation); }};
  worker.detach();
  while (!ending->waited())
    if (PyErr_CheckSignals() != 0) throw pybind11::error_already_set{};
  ending->rethrow();
}

}  // namespace lockwood::python
