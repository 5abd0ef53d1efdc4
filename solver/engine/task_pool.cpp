#include "solver/engine/task_pool.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <atomic>
#include <exception>

namespace lockwood::solver {

struct TaskPool::Threads {
  explicit Threads(std::size_t jobs)
      : as_asked_for{tbb::global_control::max_allowed_parallelism, jobs}, arena{static_cast<int>(jobs)} {}
  tbb::global_control as_asked_for;  // also if there are fewer processors: otherwise TBB warns on standard error
  tbb::task_arena arena;
  // The work sees what was done before it, and the caller what the work has done: TBB takes care of that. These say so
  // once more, to a thread sanitizer, which does not see into the library.
  static constinit inline std::atomic<std::size_t> begun{0};
  static constinit inline std::atomic<std::size_t> done{0};
};

// Threads come with the first work. If they are refused, TBB throws, and it had better do so before work is half done.
TaskPool::TaskPool(std::size_t jobs) {
  try {
    threads_ = std::make_unique<Threads>(jobs);
    divide(2 * jobs, 1, [](std::size_t /*begin*/, std::size_t /*end*/) {});
  } catch (const std::exception&) {
    threads_.reset();
  }
}

TaskPool::~TaskPool() = default;

void TaskPool::divide(std::size_t count, std::size_t piece,
                      const std::function<void(std::size_t begin, std::size_t end)>& work) {
  if (!threads_) return work(0, count);
  Threads::begun.fetch_add(1, std::memory_order_release);
  threads_->arena.execute([&] {
    tbb::parallel_for(tbb::blocked_range<std::size_t>{0, count, piece},
                      [&](const tbb::blocked_range<std::size_t>& part) {
                        (void)Threads::begun.load(std::memory_order_acquire);
                        work(part.begin(), part.end());
                        Threads::done.fetch_add(1, std::memory_order_acq_rel);
                      });
  });
  (void)Threads::done.load(std::memory_order_acquire);
}

}  // namespace lockwood::solver
