#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/process/stop.hpp"
#include "dpn/model/network.hpp"
#include "dpn/model/query.hpp"
#include "solver/analyses/solve.hpp"
#include "solver/engine/engine_statistics.hpp"
#include "solver/reduction/relevance.hpp"

namespace lockwood::solver {

struct MhpOptions {
  dpn::Semantics semantics = dpn::Semantics::LockSensitive;
  // One thread is in the first set, another in the second; all symbols if not given.
  std::optional<std::vector<dpn::StackSymbol>> left;
  std::optional<std::vector<dpn::StackSymbol>> right;
  // If given, only pairs within one class matter; others may be missing.
  std::optional<IdVector<dpn::StackSymbol, std::uint32_t>> classes = {};
  Reductions reductions;
  LockChoice locks = LockChoice::Auto;
  StopToken stop;
};

// Two places where different threads can be at the same time.
struct ParallelPair {
  dpn::StackSymbol first;
  dpn::StackSymbol second;  // not before the first
  friend auto operator<=>(const ParallelPair&, const ParallelPair&) = default;
};

struct MhpAnswer {
  std::vector<ParallelPair> pairs;    // ascending
  std::optional<StopReason> stopped;  // if so there may be more pairs
  EngineStatistics statistics;
  std::optional<ReductionStatistics> reduction;      // if one was made
  std::optional<std::vector<dpn::Lock>> locks = {};  // on demand: those that exclude some pair, ascending
};

// May happen in parallel: all pairs of stack symbols at which two different threads can stand, from one run.
[[nodiscard]] MhpAnswer parallel_pairs(const dpn::Network& network, const MhpOptions& options = {});

// The answer as queries with single verdicts, which can be proved one by one: that each pair is found, and for each
// symbol, unless the run was stopped, that it is found with none of the others.
[[nodiscard]] std::vector<dpn::Query> claims_of(const dpn::Network& network, const MhpOptions& options,
                                                const MhpAnswer& answer);

// Has some of the pairs, drawn by the sample, asked for one by one and replayed: at most four, at least one if there is
// one. Throws BrokenAnswer if that is not possible; does nothing more if it is stopped.
void replay_some(const dpn::Network& network, const MhpOptions& options, const MhpAnswer& answer, ReplaySample& sample);

// Some place of the first set and some place of the second are among the pairs, which ascend.
[[nodiscard]] bool has_pair_between(const std::vector<ParallelPair>& pairs, std::span<const dpn::StackSymbol> first,
                                    std::span<const dpn::StackSymbol> second);

}  // namespace lockwood::solver
