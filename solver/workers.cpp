#include "solver/workers.hpp"

#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include <new>
#include <system_error>
#include <thread>
#include <vector>

namespace lockwood::solver {
namespace {

// Threads of ours that help in an arena: each waits there for a task that is given away when the helpers are no longer
// needed, and a thread that waits takes part in all work of its arena.
class Helpers {
 public:
  Helpers(tbb::task_arena& arena, std::size_t wanted) : arena_{arena}, last_task_{waiting_for_.defer([] {})} {
    threads_.reserve(wanted);
    try {
      while (threads_.size() < wanted) threads_.emplace_back([this] { help(); });
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

  [[nodiscard]] std::size_t size() const { return threads_.size(); }

 private:
  void help() {
    try {
      arena_.execute([this] { waiting_for_.wait(); });
    } catch (const std::bad_alloc&) {
      // No memory to begin: the others go on.
    }
  }

  tbb::task_arena& arena_;
  tbb::task_group waiting_for_;
  tbb::task_handle last_task_;
  std::vector<std::jthread> threads_;  // the last member: they use the others
};

}  // namespace

void with_workers(std::size_t jobs, const std::function<void(std::size_t)>& work) {
  const auto slots = static_cast<int>(jobs);
  tbb::task_arena arena{slots, static_cast<unsigned>(slots)};  // all of them for threads of ours
  const Helpers helpers{arena, jobs - 1};
  arena.execute([&] { work(1 + helpers.size()); });
}

}  // namespace lockwood::solver
