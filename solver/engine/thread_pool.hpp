#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace lockwood::solver {

// Threads that answer the queries of a batch together, the one that asks among them. They need no memory once they are
// started: TBB (task_pool.hpp) may end the program when there is none for a thread, or for what it keeps of it, and
// with it all other queries.
class ThreadPool {
 public:
  // As many as the system allows, at most `jobs`. Requires at least 1.
  explicit ThreadPool(std::size_t jobs);
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  ThreadPool(ThreadPool&&) = delete;
  ThreadPool& operator=(ThreadPool&&) = delete;
  ~ThreadPool();

  [[nodiscard]] std::size_t count() const { return threads_.size() + 1; }

  // Has each of them do this once, and waits for them. Throws what the first of them has thrown.
  void all_do(const std::function<void()>& work);

 private:
  void help();
  void take_part(const std::function<void()>& work);

  std::mutex mutex_;  // of all below but the threads
  std::condition_variable given_;
  std::condition_variable done_;
  const std::function<void()>* work_ = nullptr;
  std::size_t rounds_ = 0;  // how often work was given
  std::size_t busy_ = 0;    // threads of ours that have not done theirs
  bool ended_ = false;
  std::exception_ptr failure_;
  std::vector<std::thread> threads_;
};

}  // namespace lockwood::solver
