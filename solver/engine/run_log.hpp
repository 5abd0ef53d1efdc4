#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>

#include "solver/engine/engine_statistics.hpp"
#include "solver/reduction/relevance.hpp"

namespace lockwood::solver {

// What several runs did, of whatever question each was part.
struct RunTotals {
  std::size_t one_by_one = 0;   // runs that kept lock structures so: of engine.hpp and mhp.hpp
  std::size_t by_families = 0;  // runs of symbolic_engine.hpp
  EngineStatistics statistics;
  std::optional<ReductionStatistics> reduction;  // of the run to which most was left
};

// While one lives, every run of an engine in the process is added to it, by whatever thread. Answers tell of their own
// runs; but a command may ask many questions through functions that return something else. There may be one at a time.
class RunLog {
 public:
  RunLog();
  ~RunLog();
  RunLog(const RunLog&) = delete;
  RunLog& operator=(const RunLog&) = delete;

  [[nodiscard]] RunTotals totals() const;
  void add(std::size_t RunTotals::*kind, const EngineStatistics& statistics,
           const std::optional<ReductionStatistics>& reduction);

 private:
  mutable std::mutex mutex_;
  RunTotals totals_;
};

// For engines, at the end of a run. What they did is only asked for if somebody wants to know.
void log_run(std::size_t RunTotals::*kind, const std::function<EngineStatistics()>& statistics,
             const std::function<std::optional<ReductionStatistics>()>& reduction);

}  // namespace lockwood::solver
