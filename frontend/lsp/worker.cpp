#include "frontend/lsp/worker.hpp"

namespace lockwood::lsp {

Worker::Worker() : thread_{[this](const std::stop_token& ended) { run(ended); }} {}

Worker::~Worker() {
  {
    const std::lock_guard lock{mutex_};
    tasks_.clear();
    if (running_) running_->request(StopReason::Cancelled);
  }
  thread_.request_stop();
}

std::shared_ptr<StopSource> Worker::start(Job job) {
  auto source = std::make_shared<StopSource>();
  {
    const std::lock_guard lock{mutex_};
    tasks_.push_back({std::move(job), source});
  }
  woken_.notify_one();
  return source;
}

void Worker::run(const std::stop_token& ended) {
  while (true) {
    Task task;
    {
      std::unique_lock lock{mutex_};
      if (!woken_.wait(lock, ended, [&] { return !tasks_.empty(); })) return;
      task = std::move(tasks_.front());
      tasks_.pop_front();
      running_ = task.source;
    }
    task.job(*task.source);
    const std::lock_guard lock{mutex_};
    running_.reset();
  }
}

}  // namespace lockwood::lsp
