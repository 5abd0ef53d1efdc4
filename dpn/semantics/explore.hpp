#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "base/process/stop.hpp"
#include "dpn/model/network.hpp"
#include "dpn/model/query.hpp"
#include "dpn/semantics/small_step.hpp"

// Exhaustive breadth-first exploration of the small-step semantics, up to bounds. Slow on anything large, but without
// any theory between the semantics and the answer.
//
// Configurations are canonical: the multiset of the live threads' control states and stacks with locks, and which live
// threads are members of whose groups. What can happen next depends on nothing else, so threads that have ended and the
// names of threads are forgotten. (With groups, some equal configurations are visited more than once:
// live_threads.hpp.)
namespace lockwood::dpn {

// How far to look. The initial configuration is looked at even if it is beyond them.
struct ExploreBounds {
  std::size_t configurations = 1'000'000;
  std::size_t stack_depth = 20;  // frames of one stack
  std::size_t threads = 6;       // alive at the same time
};

// What was left out.
struct Omissions {
  bool configurations = false;        // there are more than the bound
  bool stack_depth = false;           // an enabled move would have made a stack deeper than the bound
  bool threads = false;               // an enabled move would have made more threads than the bound
  std::optional<StopReason> stopped;  // asked to stop before the end
  [[nodiscard]] bool any() const { return configurations || stack_depth || threads || stopped.has_value(); }
  friend bool operator==(const Omissions&, const Omissions&) = default;
};

struct ExploreAnswer {
  Verdict verdict = Verdict::Unknown;
  Omissions omissions;
  // What was visited: configurations, each counted once per step of the query that can be under way in it, without
  // and with a required action done.
  std::size_t configurations = 0;
  // If reachable: the moves of each query step, from the initial configuration, as few as possible in total.
  std::vector<std::vector<Move>> schedule;
  [[nodiscard]] bool exhaustive() const { return !omissions.any(); }
};

// Decides the query: Reachable with a schedule that replays under the query's semantics; Unreachable only if nothing
// was left out; else Unknown. Requires that the query has a step and its symbols are the network's.
[[nodiscard]] ExploreAnswer explore_query(const Network& network, const Query& query, const ExploreBounds& bounds = {},
                                          StopToken stop = {});

struct Exploration {
  Omissions omissions;
  std::size_t configurations = 0;
  std::size_t moves = 0;        // enabled ones, of different threads, between configurations within the bounds
  std::size_t stack_depth = 0;  // the greatest seen
  std::size_t threads = 0;      // the most seen alive at the same time
  // Configurations in which no thread can move, and one waits for a lock of another or for another to end.
  std::size_t deadlocked = 0;
  std::optional<std::vector<Move>> deadlock;  // as few moves as possible to a deadlocked one
  [[nodiscard]] bool exhaustive() const { return !omissions.any(); }
};

// Visits all configurations within the bounds. A move that leads out of the bounds still counts as one that a thread
// can make, so whatever is called deadlocked is.
[[nodiscard]] Exploration explore(const Network& network, Semantics semantics, const ExploreBounds& bounds = {},
                                  StopToken stop = {});

}  // namespace lockwood::dpn
