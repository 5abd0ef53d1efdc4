#pragma once

#include "explorer/search/search.hpp"

namespace lockwood::explorer {

// A part of a program that has changed.
class Fragment {
 public:
  Fragment() = default;
  Fragment(const Fragment&) = delete;
  Fragment& operator=(const Fragment&) = delete;
  virtual ~Fragment() = default;
  // Whether the thread, which is there, is in it or in something that is called there.
  [[nodiscard]] virtual bool contains(const Machine& machine, ThreadId thread) = 0;
  // Whether the thread may ever come there. False only if it is certain.
  [[nodiscard]] virtual bool may_be_entered(const Machine& machine, ThreadId thread) = 0;
};

struct PairwiseOptions {
  Fragment* fragment = nullptr;
  Properties properties;
  bool first_finding_only = false;
  Listener* listener = nullptr;
  std::size_t max_level = 2;
  std::size_t max_states = std::numeric_limits<std::size_t>::max();
  StopToken stop;
};

// A quick look at a change: only schedules in which a thread that executes the fragment, t, and one other thread, u,
// interleave there (Parízek and Kliber, incremental verification by pairs, Fig. 2). For each pair of threads:
//   t has not come to the fragment: t runs if it can, else whoever ran before;
//   t is about to enter it and u ran before, or t is in it and ran before: either of the two;
//   otherwise: who ran before, if it can; else anybody.
// That is level 0. At level k, a run departs from these rules at most k times, anywhere. The paper's order of events of
// third threads before the fragment is a departure here. Levels are searched one after the other, up to max_level.
//
// The paper holds level 0 to be complete if the version before was correct. It is not: what t sees on its way to the
// fragment depends on schedules of others, and what the fragment writes may let two other threads run into a deadlock.
// So the search never is complete; Omissions::beyond_level tells how far it came.
[[nodiscard]] SearchResult pairwise_search(Machine& machine, const PairwiseOptions& options);

}  // namespace lockwood::explorer
