#pragma once

#include <optional>
#include <vector>

#include "base/stop.hpp"
#include "dpn/network.hpp"
#include "solver/engine_statistics.hpp"
#include "solver/problem.hpp"

namespace lockwood::solver {

struct StandingPlaces {
  std::vector<dpn::StackSymbol> symbols;  // ascending
  std::optional<StopReason> stopped;      // if so there may be more
  EngineStatistics statistics;
};

// The symbols, among those asked for, at which a thread can stand at the end of the last phase while everything that
// the problem asks for is met by all threads together. The problem must not collect or have observers.
//
// One run finds all facts in which nobody is looked for. In a tree with a thread that is looked for, everything beside
// the way to that thread is made of such facts; so what is left is to go up these ways, from every place where a thread
// can stand. Symbols that have come as far at the cost of the same locks go on together, as bits of a set.
[[nodiscard]] StandingPlaces standing_places(const dpn::Network& network, const Problem& problem,
                                             const std::vector<dpn::StackSymbol>& asked, StopToken stop);

}  // namespace lockwood::solver
