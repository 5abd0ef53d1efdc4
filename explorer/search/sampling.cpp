#include "explorer/search/sampling.hpp"

#include <algorithm>
#include <cassert>

#include "base/ids/random.hpp"
#include "explorer/search/expansion.hpp"

namespace lockwood::explorer {
namespace {

class Sampling {
 public:
  Sampling(Machine& machine, const SampleOptions& options)
      : machine_{machine},
        options_{options},
        random_{options.seed},
        search_{.properties = options.properties},
        findings_{search_, result_} {}

  SearchResult run() && {
    result_.omissions.sampling = true;
    const std::size_t root = machine_.mark();
    for (std::size_t run = 0; run < options_.runs && !ended_; ++run) {
      one_run();
      machine_.undo(root);
    }
    return std::move(result_);
  }

 private:
  void one_run() {
    steps_.clear();
    priorities_.clear();
    changes_.clear();
    for (std::size_t i = 0; i < options_.change_points; ++i) changes_.push_back(random_.below(longest_));
    least_ = 0;
    while (look()) {
      if (steps_.size() >= options_.max_depth) {
        result_.omissions.depth = true;
        return;
      }
      if (const auto reason = options_.stop.reason()) {
        result_.omissions.stopped = reason;
        ended_ = true;
        return;
      }
      const ThreadId thread = options_.scheduler == Scheduler::Random ? any_thread() : first_thread();
      const Step step{thread, static_cast<std::uint32_t>(random_.below(view(machine_, thread).outcomes))};
      ++result_.counters.steps;
      steps_.push_back(step);
      if (const auto bound = machine_.step(step)) {
        result_.omissions.bounds[static_cast<std::size_t>(*bound)] = true;
        return;
      }
      longest_ = std::max(longest_, steps_.size());
    }
  }

  // At the current state. False if there is nothing more to do.
  bool look() {
    if (options_.listener != nullptr) options_.listener->visit(machine_);
    result_.counters.max_depth = std::max(result_.counters.max_depth, steps_.size());
    const std::size_t added = findings_.add(machine_);
    for (std::size_t i = result_.findings.size() - added; i < result_.findings.size(); ++i)
      result_.findings[i].run = steps_;
    if (added > 0 && options_.first_finding_only) {
      result_.omissions.finding = true;
      ended_ = true;
    }
    return !ended_ && !is_final(machine_);
  }

  [[nodiscard]] ThreadId any_thread() {
    const auto threads = machine_.threads();
    const auto enabled = static_cast<std::size_t>(
        std::ranges::count_if(threads, [](const ThreadView& thread) { return thread.enabled; }));
    std::size_t chosen = random_.below(enabled);
    for (std::size_t i = 0; i < threads.size(); ++i)
      if (threads[i].enabled && chosen-- == 0) return ThreadId{i};
    assert(false);
    return ThreadId{0};
  }

  // A new thread gets a random priority above those that were lowered.
  [[nodiscard]] ThreadId first_thread() {
    constexpr std::size_t range = std::size_t{1} << 40U;
    const auto threads = machine_.threads();
    while (priorities_.size() < threads.size())
      priorities_.push_back(static_cast<std::int64_t>(1 + random_.below(range)));
    const auto first = [&] {
      std::optional<std::size_t> best;
      for (std::size_t i = 0; i < threads.size(); ++i)
        if (threads[i].enabled && (!best || priorities_[i] > priorities_[*best])) best = i;
      assert(best);
      return *best;
    };
    if (std::ranges::find(changes_, steps_.size()) != changes_.end()) priorities_[first()] = --least_;
    return ThreadId{first()};
  }

  Machine& machine_;
  const SampleOptions& options_;
  Random random_;
  SearchOptions search_;
  SearchResult result_;
  FindingList findings_;
  Run steps_;
  std::vector<std::int64_t> priorities_;  // by thread
  std::vector<std::size_t> changes_;      // steps
  std::int64_t least_ = 0;
  std::size_t longest_ = 1;  // run so far: the guess for the next one
  bool ended_ = false;
};

}  // namespace

SearchResult sample(Machine& machine, const SampleOptions& options) { return Sampling{machine, options}.run(); }

}  // namespace lockwood::explorer
