#pragma once

#include "explorer/search/search.hpp"

namespace lockwood::explorer {

struct SourceSetOptions {
  DependenceTable dependence = DependenceTable::complete();
  Properties properties;
  bool first_finding_only = false;
  Listener* listener = nullptr;                                          // sees every state of every execution
  std::size_t max_depth = 10'000;                                        // steps of an execution
  std::size_t max_executions = std::numeric_limits<std::size_t>::max();  // those that are given up included
  StopToken stop;
};

struct SourceSetResult {
  SearchResult search;
  std::size_t executions = 0;  // that came to an end
  std::size_t redundant = 0;   // that were given up because others cover them
};

// Search without a store, by dynamic partial order reduction with source sets and sleep sets
// [abdulla.14.optimal, Alg. 1]: at least one execution of each equivalence class of those that order dependent actions
// alike. For programs whose runs end. It shares nothing with frozen sets but the dependences, and is a second opinion.
//
// We differ from the printed algorithm where monitors are concerned. There, races are looked for between an event and
// the one that is executed now; an acquire never races with an earlier one, since the release lies between. Here, races
// are looked for between earlier events and what each thread is before, enabled or not, at every state: a thread
// that wants a monitor while another one has it shows that race.
[[nodiscard]] SourceSetResult source_set_search(Machine& machine, const SourceSetOptions& options);

}  // namespace lockwood::explorer
