#include "solver/engine/thread_pool.hpp"

#include <new>
#include <system_error>
#include <utility>

namespace lockwood::solver {

ThreadPool::ThreadPool(std::size_t jobs) {
  try {
    threads_.reserve(jobs - 1);
    while (threads_.size() < jobs - 1) threads_.emplace_back([this] { help(); });
  } catch (const std::system_error&) {
    // Those that are there will do.
  } catch (const std::bad_alloc&) {
    // Likewise.
  }
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock{mutex_};
    ended_ = true;
  }
  given_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadPool::help() {
  std::unique_lock lock{mutex_};
  for (std::size_t seen = 0;; seen = rounds_) {
    given_.wait(lock, [&] { return ended_ || rounds_ != seen; });
    if (ended_) return;
    const std::function<void()>& work = *work_;
    lock.unlock();
    take_part(work);
    lock.lock();
    if (--busy_ == 0) done_.notify_one();
  }
}

void ThreadPool::take_part(const std::function<void()>& work) {
  try {
    work();
  } catch (...) {
    const std::lock_guard lock{mutex_};
    if (!failure_) failure_ = std::current_exception();
  }
}

void ThreadPool::all_do(const std::function<void()>& work) {
  {
    const std::lock_guard lock{mutex_};
    work_ = &work;
    ++rounds_;
    busy_ = threads_.size();
  }
  given_.notify_all();
  take_part(work);
  std::unique_lock lock{mutex_};
  done_.wait(lock, [&] { return busy_ == 0; });
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

}  // namespace lockwood::solver
