#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "base/process/stop.hpp"

namespace lockwood::lsp {

// A thread that does jobs one after the other. Who gives a job keeps its source, to cancel it: a job that has not begun
// is begun nevertheless, and sees that it is to stop.
class Worker {
 public:
  using Job = std::function<void(StopSource&)>;

  Worker();
  ~Worker();  // cancels all jobs, and waits for the one that runs
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  std::shared_ptr<StopSource> start(Job job);

 private:
  struct Task {
    Job job;
    std::shared_ptr<StopSource> source;
  };
  void run(const std::stop_token& ended);

  std::mutex mutex_;
  std::condition_variable_any woken_;
  std::deque<Task> tasks_;
  std::shared_ptr<StopSource> running_;
  std::jthread thread_;  // the last member: it uses the others
};

}  // namespace lockwood::lsp
