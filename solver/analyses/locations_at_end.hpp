#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "base/process/stop.hpp"
#include "dpn/model/network.hpp"
#include "dpn/trees/execution_tree.hpp"
#include "solver/analyses/location_paths.hpp"
#include "solver/engine/engine_statistics.hpp"
#include "solver/locks/lock_structure.hpp"
#include "solver/query/query_problem.hpp"
#include "solver/reduction/node_budget.hpp"
#include "solver/reduction/relevance.hpp"

namespace lockwood::solver {

struct LocationsAtEnd {
  std::vector<dpn::StackSymbol> symbols;  // ascending
  std::optional<StopReason> stopped;      // if so there may be more
  EngineStatistics statistics;
};

// The symbols, among those asked for, at which a thread can be at the end of the last phase while everything that
// the problem asks for is met by all threads together. The problem must not collect or have observers.
//
// What cannot be without locks is left out first. Then one run finds all facts in which nobody is looked for. In a tree
// with a thread that is looked for, everything beside the way to that thread is made of such facts; so what is left is
// to go up these ways, from every place where a thread can stand. These ways are a graph, and which of its sources lead
// to the root takes one search from there. Ways that take more locks than others from the same place are left out at
// first, since there may be far more of them than facts; symbols that need them go up one by one, ways with few locks
// first, until they meet one that is known to lead to the root. Beyond `max_stages` places on all ways (default: a
// million, or four times as many as facts), the symbols that are left go up together, as bits of sets, at the cost of
// the same locks.
[[nodiscard]] LocationsAtEnd locations_at_end(const dpn::Network& network, const Problem& problem,
                                              const std::vector<dpn::StackSymbol>& asked, StopToken stop,
                                              std::optional<std::size_t> max_stages = {});

// Several such questions, which differ only in the action that is required.
struct LocationsByAction {
  std::vector<std::vector<dpn::StackSymbol>> symbols;  // for each action, ascending
  std::optional<StopReason> stopped;                   // if so there may be more
  EngineStatistics statistics;
};
constexpr std::size_t max_actions = 64;

// The problem requires one of at most `max_actions` actions in the phase `distinguished`, and nothing else anywhere;
// the answer is for only one of these actions being done there, for each of them apart, in their order. Facts about
// trees in which none of them is done there are the same whichever it is elsewhere, and are found once. What is not
// found so with few places on all ways (default: 100,000, or twice as many as facts) is looked for one action at a
// time.
[[nodiscard]] LocationsByAction locations_at_end_by_action(const dpn::Network& network, const Problem& problem,
                                                           PhaseIndex distinguished,
                                                           const std::vector<dpn::StackSymbol>& asked, StopToken stop,
                                                           std::optional<std::size_t> max_stages = {});

// What is found while only some locks exclude.
struct PossiblePlaces {
  TargetsOfSymbols places;  // with all locks, there may be fewer
  TargetsOfSymbols open;    // with only these locks, too: there were too many places on the ways to tell
  EngineStatistics statistics;
};
// A tree of the question's network for one of the places and one of its targets. Throws what the room for it does.
using TreeOfPlace = std::function<dpn::ExecutionTree(dpn::StackSymbol symbol, Targets one, NodeBudget room)>;

// The places, among those asked for, at which a thread can stand if only these locks exclude; all others are excluded
// by these locks, if they are not open. `look` may ask for trees: with all locks, they need not have a schedule. The
// flow is that of the network. Throws Interrupted.
[[nodiscard]] PossiblePlaces possible_places(
    const LocationQuestion& question, const BackwardFlow& flow, const TargetsOfSymbols& asked,
    const LockFlags& respected, std::optional<std::size_t> max_stages, StopToken stop,
    const std::function<void(const PossiblePlaces& found, const TreeOfPlace& tree)>& look);

}  // namespace lockwood::solver
