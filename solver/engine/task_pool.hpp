#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace lockwood::solver {

// Threads of TBB that share the work on a large frontier. If the system allows none, the one that asks does all of it.
class TaskPool {
 public:
  // At most `jobs` threads, the one that asks among them. Requires at least 1.
  explicit TaskPool(std::size_t jobs);
  TaskPool(const TaskPool&) = delete;
  TaskPool& operator=(const TaskPool&) = delete;
  TaskPool(TaskPool&&) = delete;
  TaskPool& operator=(TaskPool&&) = delete;
  ~TaskPool();

  // Divides 0 … count - 1 among them, in pieces [begin, end) of about that size.
  void divide(std::size_t count, std::size_t piece,
              const std::function<void(std::size_t begin, std::size_t end)>& work);

 private:
  struct Threads;
  std::unique_ptr<Threads> threads_;  // none: alone
};

}  // namespace lockwood::solver
