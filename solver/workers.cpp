#include "solver/workers.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include <new>
#include <system_error>
#include <thread>
#include <vector>

namespace lockwood::solver {

// Each of our threads waits in the arena for a task that is given away when they are no longer needed; and a thread
// that waits takes part in all work of its arena.
class Workers::Helpers {
 public:
  explicit Helpers(std::size_t jobs)
      : arena_{static_cast<int>(jobs), static_cast<unsigned>(jobs)},  // all places are for threads of ours
        last_task_{waiting_for_.defer([] {})} {
    threads_.reserve(jobs - 1);
    try {
      while (threads_.size() < jobs - 1) threads_.emplace_back([this] { help(); });
    } catch (const std::system_error&) {
      // Those that are there will do.
    } catch (const std::bad_alloc&) {
      // Likewise.
    }
  }
  Helpers(const Helpers&) = delete;
  Helpers& operator=(const Helpers&) = delete;
  Helpers(Helpers&&) = delete;
  Helpers& operator=(Helpers&&) = delete;
  ~Helpers() {
    arena_.execute([this] { waiting_for_.run_and_wait(std::move(last_task_)); });
  }

  [[nodiscard]] std::size_t count() const { return threads_.size(); }
  [[nodiscard]] tbb::task_arena& arena() { return arena_; }

 private:
  void help() {
    try {
      arena_.execute([this] { waiting_for_.wait(); });
    } catch (const std::bad_alloc&) {
      // No memory to begin: the others go on.
    }
  }

  tbb::task_arena arena_;
  tbb::task_group waiting_for_;
  tbb::task_handle last_task_;
  std::vector<std::jthread> threads_;  // the last member: they use the others
};

Workers::Workers(std::size_t jobs) : helpers_{std::make_unique<Helpers>(jobs)} {}
Workers::~Workers() = default;

std::size_t Workers::count() const { return 1 + helpers_->count(); }

void Workers::run(const std::function<void()>& work) {
  helpers_->arena().execute([&] { work(); });
}

void Workers::divide(std::size_t count, std::size_t piece,
                     const std::function<void(std::size_t begin, std::size_t end)>& work) {
  run([&] {
    tbb::parallel_for(tbb::blocked_range<std::size_t>{0, count, piece},
                      [&](const tbb::blocked_range<std::size_t>& part) { work(part.begin(), part.end()); });
  });
}

}  // namespace lockwood::solver
