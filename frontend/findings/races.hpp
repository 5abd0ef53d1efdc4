#pragma once

#include <optional>
#include <vector>

#include "base/id_vector.hpp"
#include "base/stop.hpp"
#include "dpn/query.hpp"
#include "frontend/program/lowering.hpp"
#include "solver/solve.hpp"

namespace lockwood::findings {

// A row of Lowered::accesses.
using AccessId = Id<struct AccessTag>;

[[nodiscard]] inline const program::Access& access(const program::Lowered& lowered, AccessId id) {
  return lowered.accesses[id.index()];
}

// Two accesses to one variable, at least one of them a write. Both may be the same: two threads can do it.
struct Conflict {
  AccessId first;
  AccessId second;  // not before the first
  friend auto operator<=>(const Conflict&, const Conflict&) = default;
};

// All conflicts between accesses that control can get to, ascending; only those of one variable if it is given.
[[nodiscard]] std::vector<Conflict> conflicts(const program::Lowered& lowered,
                                              std::optional<program::Variable> variable = {});

struct ConflictVerdicts {
  std::vector<Conflict> racing;     // two threads can stand before them at the same time
  std::vector<Conflict> apart;      // they cannot
  std::vector<Conflict> undecided;  // only if stopped
  std::optional<StopReason> stopped;
  solver::EngineStatistics statistics = {};
};

// Decides all conflicts by one run, which finds every pair of places at which two threads can stand.
[[nodiscard]] ConflictVerdicts decide(const dpn::Network& network, const program::Lowered& lowered,
                                      const std::vector<Conflict>& conflicts, dpn::Semantics semantics,
                                      StopToken stop = {});

// The question whether two threads can stand before the accesses.
[[nodiscard]] solver::Problem conflict_problem(const program::Lowered& lowered, const Conflict& conflict);

}  // namespace lockwood::findings
