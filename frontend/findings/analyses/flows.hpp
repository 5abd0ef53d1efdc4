#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "base/process/stop.hpp"
#include "dpn/trees/schedule.hpp"
#include "frontend/findings/analyses/chain.hpp"
#include "frontend/program/lowering/lowering.hpp"

namespace lockwood::findings {

struct FlowOptions {
  std::size_t max_transfers = 6;  // of a chain
  std::size_t max_chains = 200;   // to ask about, unfinished ones included
  StopToken stop;
  std::function<void(const ChainQuestion&, dpn::Verdict)> answered = {};  // is told each question that was decided
};

// A chain that no execution does, and why not.
struct RefutedChain {
  Chain chain;
  // Every link of it is feasible for itself: only the whole is not.
  bool links_feasible = false;
};

struct FlowAnswer {
  dpn::Verdict verdict = dpn::Verdict::Unknown;
  std::optional<Chain> chain;             // if reachable: a shortest one
  std::optional<dpn::Schedule> schedule;  // of the program's network
  std::vector<RefutedChain> refuted;      // shortest first; extensions of a refuted chain are not listed
  std::size_t asked = 0;                  // queries
  bool bound_reached = false;             // there are longer or more chains, which were not looked at
  std::optional<StopReason> stopped;
};

// Is there an execution in which a value goes from one of the sources to one of the sinks by a chain of definitions and
// uses? Chains are built from the source on, along definitions and the uses that they reach, those first that can still
// be part of the shortest whole ones; each is asked about as a whole before it is extended, because an extension of an
// infeasible chain is infeasible.
[[nodiscard]] FlowAnswer find_flow(const program::Program& program, const program::Lowered& lowered,
                                   const std::vector<Source>& sources, const std::vector<Sink>& sinks,
                                   const FlowOptions& options = {});

}  // namespace lockwood::findings
