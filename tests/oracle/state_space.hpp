#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "dpn/model/network.hpp"
#include "dpn/model/query.hpp"
#include "dpn/trees/schedule.hpp"
#include "solver/query/problem.hpp"

// A second brute force: it decides problems by visiting all states, and replays schedules. It is written from the
// small-step semantics alone (docs/theory.md, section 1) and shares neither code nor data structures with
// dpn/small_step, dpn/explore or the solver, so that a mistake in one of them is not a mistake of both.
namespace lockwood::oracle {

// How far to look. A state beyond the bounds is left out, and then only "reachable" is known.
struct Bounds {
  std::size_t states = 60'000;
  std::size_t depth = 12;   // frames of one stack
  std::size_t threads = 6;  // alive at the same time
};

struct Outcome {
  dpn::Verdict verdict = dpn::Verdict::Unknown;
  std::size_t states = 0;  // visited, each once per phase and set of required actions that were done
};

// Whether an execution goes through the phases. "Unreachable" only if no state was left out; "unknown" if some were and
// the others do not answer. Requires a problem without observers and without `collect`, a network with at most 64
// locks, and at most 16 required sets in a phase.
[[nodiscard]] Outcome decide(const dpn::Network& network, const problem::Problem& problem, const Bounds& bounds = {});

// Why the schedule is not an execution that goes through the phases, or nothing.
[[nodiscard]] std::optional<std::string> replay_error(const dpn::Network& network, const problem::Problem& problem,
                                                      const dpn::Schedule& schedule);

struct Pairs {
  std::vector<std::pair<dpn::StackSymbol, dpn::StackSymbol>> pairs;  // ascending, the smaller symbol first
  bool complete = true;                                              // no state was left out
};

// The pairs of symbols at which two different threads can be at the same time.
[[nodiscard]] Pairs parallel_pairs(const dpn::Network& network, dpn::Semantics semantics, const Bounds& bounds = {});

}  // namespace lockwood::oracle
