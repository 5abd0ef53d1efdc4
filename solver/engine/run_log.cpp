#include "solver/engine/run_log.hpp"

#include <atomic>
#include <cassert>

namespace lockwood::solver {
namespace {

std::atomic<RunLog*> current_log{nullptr};

}  // namespace

RunLog::RunLog() {
  assert(current_log.load() == nullptr);
  current_log.store(this);
}

RunLog::~RunLog() { current_log.store(nullptr); }

RunTotals RunLog::totals() const {
  const std::lock_guard lock{mutex_};
  return totals_;
}

void RunLog::add(std::size_t RunTotals::*kind, const EngineStatistics& statistics,
                 const std::optional<ReductionStatistics>& reduction) {
  const std::lock_guard lock{mutex_};
  ++(totals_.*kind);
  totals_.statistics += statistics;
  if (reduction && (!totals_.reduction || totals_.reduction->rules_left < reduction->rules_left))
    totals_.reduction = reduction;
}

void log_run(std::size_t RunTotals::*kind, const std::function<EngineStatistics()>& statistics,
             const std::function<std::optional<ReductionStatistics>()>& reduction) {
  if (RunLog* log = current_log.load()) log->add(kind, statistics(), reduction());
}

}  // namespace lockwood::solver
