#pragma once

#include <cstddef>
#include <functional>
#include <memory>
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
  std::size_t explained = 0;  // so many refuted chains of a search are asked which locks refute them
};

// A chain that no execution does, and why not.
struct RefutedChain {
  Chain chain;
  // Every link of it is feasible for itself: only the whole is not.
  bool links_feasible = false;
  std::vector<dpn::Lock> locks = {};  // these alone keep it from happening, if it was asked; there may be others
};

struct FlowAnswer {
  dpn::Verdict verdict = dpn::Verdict::Unknown;
  std::optional<Chain> chain;             // if reachable: a shortest one
  bool direct = false;                    // if reachable: through locals alone, without any chain
  std::optional<dpn::Schedule> schedule;  // of the program's network
  std::vector<dpn::RuleId> way;           // if reachable: the steps by which the value gets somewhere else
  std::vector<RefutedChain> refuted;      // shortest first; extensions of a refuted chain are not listed
  std::size_t asked = 0;                  // queries
  bool bound_reached = false;             // there are longer or more chains, which were not looked at
  std::optional<StopReason> stopped;
};

// How many pairs of a definition and a use of its variable were looked at, and what became of them.
struct LinkCounts {
  std::size_t suspected = 0;
  std::size_t without_locks = 0;  // feasible if locks do not count
  std::size_t with_locks = 0;     // of those that were asked about with locks
  std::size_t asked_with_locks = 0;
};

// Looks for flows in a program. What it finds out about links it keeps for the next search.
class FlowSearch {
 public:
  // Program, model and options must outlive it.
  FlowSearch(const program::Program& program, const program::Lowered& lowered, const FlowOptions& options);
  ~FlowSearch();
  FlowSearch(const FlowSearch&) = delete;
  FlowSearch& operator=(const FlowSearch&) = delete;

  // Is there an execution in which a value goes from one of the sources to one of the sinks by a chain of definitions
  // and uses? Chains are built from the source on, along definitions and the uses that they reach, those first that
  // can still be part of the shortest whole ones; each is asked about as a whole before it is extended, because an
  // extension of an infeasible chain is infeasible.
  [[nodiscard]] FlowAnswer find(const std::vector<Source>& sources, const std::vector<Sink>& sinks);
  // The same from places at which a thread makes a value to places at which one uses it; also through locals alone.
  [[nodiscard]] FlowAnswer find_between(const std::vector<dpn::StackSymbol>& makers,
                                        const std::vector<dpn::StackSymbol>& users);
  [[nodiscard]] LinkCounts links() const;

 private:
  struct Knowledge;
  std::unique_ptr<Knowledge> knowledge_;
};

// One search.
[[nodiscard]] FlowAnswer find_flow(const program::Program& program, const program::Lowered& lowered,
                                   const std::vector<Source>& sources, const std::vector<Sink>& sinks,
                                   const FlowOptions& options = {});

}  // namespace lockwood::findings
