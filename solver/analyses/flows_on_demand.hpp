#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "base/process/stop.hpp"
#include "dpn/model/network.hpp"
#include "dpn/model/query.hpp"
#include "solver/analyses/dataflow.hpp"

namespace lockwood::solver {

// The answers do not depend on the first three.
struct FlowsOnDemandOptions {
  bool random_executions = true;
  std::size_t max_choices = 32;                // of locks that are respected, before all of them are put together
  std::optional<std::size_t> max_stages = {};  // of a run: see locations_at_end.hpp
  StopToken stop = {};
};

// The points that many facts reach, with the locks that the answers need and no others (docs/theory.md, Sect. 5.2).
//
// What is reached is shown by executions: after each of its moves, an execution shows for every fact that holds where
// all threads stand. Random executions show most of it, for all facts at once. What is not reached is found by runs of
// the engine in which only some locks exclude, none at first. If a run finds a point that was not shown, its tree
// either has a schedule, which shows the point and more, or an obstacle, whose locks are respected from then on. If
// trees would take longer than a run with all locks, there is one.
class FlowsOnDemand {
 public:
  // The network must outlive it. If it is stopped, the answers say so.
  FlowsOnDemand(const dpn::Network& network, std::vector<FlowFact> facts, dpn::Semantics semantics,
                const FlowsOnDemandOptions& options = {});
  ~FlowsOnDemand();
  FlowsOnDemand(const FlowsOnDemand&) = delete;
  FlowsOnDemand& operator=(const FlowsOnDemand&) = delete;

  // Facts that are decided together, by their numbers: see `flow_groups`.
  [[nodiscard]] const std::vector<std::vector<std::size_t>>& groups() const;
  // For each fact of a group. The statistics are those of the whole group.
  [[nodiscard]] std::vector<FlowAnswer> answers_of(std::size_t group);

 private:
  class Flows;
  std::unique_ptr<Flows> flows_;
};

}  // namespace lockwood::solver
