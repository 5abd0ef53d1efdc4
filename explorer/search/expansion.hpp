#pragma once

#include <optional>
#include <vector>

#include "explorer/reduction/frozen_set.hpp"
#include "explorer/search/search.hpp"

namespace lockwood::explorer {

// How a search gets from a stored state to the next ones.
class Expansion {
 public:
  Expansion(Machine& machine, const SearchOptions& options, SearchResult& result);

  // The steps from here: those that are enough come first, then the others that are possible.
  struct Steps {
    std::vector<Step> steps;
    std::size_t enough = 0;
  };
  // `current` is the thread that moved last. With `expand_all`, only all steps are enough.
  void steps_from_here(std::optional<ThreadId> current, bool expand_all, Steps& steps);
  // The same where take() has just arrived, or at the root: it knows what was computed on the way.
  void steps_from_arrival(std::optional<ThreadId> current, Steps& steps);

  // Executes the step and goes on as long as there is one way only; appends all steps to the run.
  struct Arrival {
    std::optional<Bound> bound;   // met on the way: the machine must go back
    bool expand_all = false;      // too much was left out of the store on the way
    ThreadId current{0};          // who moved last
    bool reached_target = false;  // and stopped there
  };
  [[nodiscard]] Arrival take(Step step, Run& run);

 private:
  // Sets enough_.
  void compute_enough(std::optional<ThreadId> current);
  // The only step that is enough, if there is only one.
  [[nodiscard]] std::optional<Step> only_step(ThreadId current);
  void list_steps(std::optional<ThreadId> current, bool expand_all, Steps& steps);

  Machine& machine_;
  const SearchOptions& options_;
  SearchResult& result_;
  FrozenSets frozen_sets_;
  std::vector<ThreadId> enough_;
  bool known_ = false;       // enough_ is about the current state
  bool expand_all_ = false;  // at the current state
};

// Keeps the findings of a search, one for each key.
class FindingList {
 public:
  FindingList(const SearchOptions& options, SearchResult& result) : options_{options}, result_{result} {}
  // Looks at the current state. Returns those that are new; their runs are still empty.
  [[nodiscard]] std::size_t add(const Machine& machine);

 private:
  const SearchOptions& options_;
  SearchResult& result_;
  std::vector<ObservationKey> keys_;  // ascending
};

}  // namespace lockwood::explorer
