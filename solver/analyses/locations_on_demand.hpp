#pragma once

#include <cstddef>
#include <optional>

#include "base/process/stop.hpp"
#include "dpn/trees/execution_tree.hpp"
#include "solver/analyses/location_paths.hpp"
#include "solver/engine/engine_statistics.hpp"
#include "solver/reduction/relevance.hpp"

namespace lockwood::solver {

// What is known of the places of a question: at which symbols a thread can be, and for which of its targets, by number.
class ShownLocations {
 public:
  ShownLocations() = default;
  virtual ~ShownLocations() = default;
  ShownLocations(const ShownLocations&) = delete;
  ShownLocations& operator=(const ShownLocations&) = delete;

  [[nodiscard]] virtual bool is_shown(dpn::StackSymbol symbol, std::size_t target) const = 0;
  // It is known otherwise.
  virtual void add(dpn::StackSymbol symbol, std::size_t target) = 0;
  // By a tree of the question's network that can be scheduled: the place that it was made for, and perhaps more.
  virtual void show(const dpn::ExecutionTree& tree) = 0;
};

struct LocationsOnDemandOptions {
  std::size_t max_choices = 32;                // of locks that are respected, before all of them are put together
  std::optional<std::size_t> max_stages = {};  // of a run: see locations_at_end.hpp
  StopToken stop = {};
};

// Finds the places, among those asked for, at which a thread can be at the end of the last phase: afterwards, exactly
// these are shown. Respects the locks that the answer needs and no others (docs/theory.md, Sect. 5.2): what is excluded
// is found by runs of the engine in which only some locks exclude, none at first. If a run finds a place that is not
// shown, its tree either has a schedule, which shows the place, or an obstacle, whose locks are respected from then on.
// If trees would take longer than a run with all locks, there is one. The problem respects locks; the flow is that of
// the network. Returns the places that were not shown before and cannot be excluded without locks. Throws Interrupted:
// then more may be shown.
struct WithoutLocks {
  TargetsOfSymbols places;
  TargetsOfSymbols open;  // there were too many ways to tell
};
WithoutLocks decide_locations(const LocationQuestion& question, const BackwardFlow& flow, const TargetsOfSymbols& asked,
                              ShownLocations& shown, EngineStatistics& statistics,
                              const LocationsOnDemandOptions& options = {});

}  // namespace lockwood::solver
