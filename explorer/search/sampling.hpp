#pragma once

#include "explorer/search/search.hpp"

namespace lockwood::explorer {

enum class Scheduler {
  Random,  // any enabled thread, each step
  // Threads have random priorities, and the first one that is enabled runs; at `change_points` random steps of the run,
  // the thread that runs gets the least priority so far. A fault that needs d ordered events is found by one run with
  // d - 1 change points with probability at least 1 / (threads · steps^(d-1)) [burckhardt.10.randomized, abstract].
  Priorities
};

struct SampleOptions {
  Scheduler scheduler = Scheduler::Priorities;
  std::size_t change_points = 2;
  std::uint64_t seed = 1;
  std::size_t runs = 1000;
  std::size_t max_depth = 100'000;  // steps of a run
  Properties properties;
  bool first_finding_only = false;
  Listener* listener = nullptr;  // sees every state of every run
  StopToken stop;
};

// Runs without a memory: each from the current state of the machine to its end. Never complete.
[[nodiscard]] SearchResult sample(Machine& machine, const SampleOptions& options);

}  // namespace lockwood::explorer
