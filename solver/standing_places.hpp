#pragma once

#include <cstddef>
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
// can stand. These ways are a graph, and which of its sources lead to the root takes one search from there. But ways
// that take more locks than others belong to the graph, too, and there may be far more of them than facts: beyond
// `most_stages` places on all ways (default: as many as facts), symbols for which none was found yet go up once more,
// and only those ways that none with fewer locks replaces. For that, symbols that have come as far at the cost of the
// same locks go on together, as bits of a set.
[[nodiscard]] StandingPlaces standing_places(const dpn::Network& network, const Problem& problem,
                                             const std::vector<dpn::StackSymbol>& asked, StopToken stop,
                                             std::optional<std::size_t> most_stages = {});

}  // namespace lockwood::solver
