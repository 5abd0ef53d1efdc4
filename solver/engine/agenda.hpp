#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "solver/engine/task_pool.hpp"

// In which order a saturation (saturation.hpp) looks at what was derived. An agenda is what `add` fills, and `take`
// empties, batch by batch: the candidates that are looked at together.
namespace lockwood::solver {

// By weight and then by age. A batch has all of the least weight: the frontier of a search. Memory is used again.
template <class Candidate>
class LightestFirst {
 public:
  using Batch = std::vector<Candidate>;
  [[nodiscard]] bool empty() const { return by_weight_.empty(); }

  void add(const Candidate& candidate) {
    Batch& same_weight = by_weight_[candidate.weight];
    if (same_weight.capacity() == 0 && !spare_.empty()) {
      same_weight.swap(spare_.back());
      spare_.pop_back();
    }
    same_weight.push_back(candidate);
  }

  // Requires that it is not empty.
  void take(Batch& batch) {
    batch.clear();
    const auto lightest = by_weight_.begin();
    batch.swap(lightest->second);
    if (lightest->second.capacity() > 0) spare_.push_back(std::move(lightest->second));
    by_weight_.erase(lightest);
  }

 private:
  std::map<std::uint64_t, Batch> by_weight_;
  std::vector<Batch> spare_;  // empty, with room
};

// One at a time, the oldest first.
template <class Candidate>
class OldestFirst {
 public:
  using Batch = std::vector<Candidate>;
  [[nodiscard]] bool empty() const { return queue_.empty(); }
  void add(const Candidate& candidate) { queue_.push_back(candidate); }
  void take(Batch& batch) {
    batch.assign(1, queue_.front());
    queue_.pop_front();
  }

 private:
  std::deque<Candidate> queue_;
};

// One at a time, the newest first.
template <class Candidate>
class NewestFirst {
 public:
  using Batch = std::vector<Candidate>;
  [[nodiscard]] bool empty() const { return stack_.empty(); }
  void add(const Candidate& candidate) { stack_.push_back(candidate); }
  void take(Batch& batch) {
    batch.assign(1, stack_.back());
    stack_.pop_back();
  }

 private:
  std::vector<Candidate> stack_;
};

// What a thread derived from a part of a batch without changing any table, and what it had to leave for later: the
// dependents whose share cannot be derived without changing one.
template <class Derived>
struct Chunk {
  struct Deferred {
    std::size_t announcement;
    std::size_t dependent;
    std::size_t before;  // so many candidates of the chunk come before
  };
  Derived derived;
  std::vector<Deferred> deferred;
};

// Batches that are large enough to be divided among several threads, in chunks of a size that does not depend on their
// number: so what is found does not either.
class Division {
 public:
  Division(std::size_t jobs, std::size_t large_batch) : jobs_{jobs}, large_batch_{large_batch} {}

  [[nodiscard]] bool pays(std::size_t batch) const { return jobs_ > 1 && batch >= large_batch_; }
  [[nodiscard]] std::size_t chunk_size() const { return std::max<std::size_t>(1, large_batch_ / 16); }
  // Calls work(begin, end) for parts of about that size of 0 … count - 1, at the same time.
  template <class Work>
  void divide(std::size_t count, std::size_t size, const Work& work) {
    if (!pool_) pool_ = std::make_unique<TaskPool>(jobs_);
    pool_->divide(count, size, work);
  }
  void dismiss_threads() { pool_.reset(); }

 private:
  std::size_t jobs_;
  std::size_t large_batch_;
  std::unique_ptr<TaskPool> pool_;  // none until there is a large batch
};

}  // namespace lockwood::solver
