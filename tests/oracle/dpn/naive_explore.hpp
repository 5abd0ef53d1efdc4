#pragma once

#include "dpn/semantics/explore.hpp"

// The definitions that the explorer implements, written with the small-step semantics itself and std::set, one move
// at a time on whole configurations.
namespace lockwood::dpn::reference {

struct NaiveAnswer {
  Verdict verdict = Verdict::Unknown;
  Omissions omissions;
  std::size_t configurations = 0;
  std::size_t moves = 0;  // of a shortest schedule, if reachable
};

[[nodiscard]] NaiveAnswer explore_query(const Network& network, const Query& query, const ExploreBounds& bounds);

struct NaiveExploration {
  Omissions omissions;
  std::size_t configurations = 0;
  std::size_t stack_depth = 0;
  std::size_t threads = 0;
  std::size_t deadlocked = 0;
  std::optional<std::size_t> deadlock;  // the least number of moves to one
};

[[nodiscard]] NaiveExploration explore(const Network& network, Semantics semantics, const ExploreBounds& bounds);

// Whether different live threads are in the sets, by trying all choices.
[[nodiscard]] bool occupied(const Configuration& configuration, const QueryStep& step);

// No thread can move, and one waits for a lock.
[[nodiscard]] bool deadlocked(const Network& network, const Configuration& configuration);

}  // namespace lockwood::dpn::reference
