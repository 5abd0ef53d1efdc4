#pragma once

#include <algorithm>
#include <cstddef>

namespace lockwood::solver {

// What a run did, or several of them.
struct EngineStatistics {
  std::size_t contexts = 0;
  std::size_t facts = 0;
  std::size_t candidates = 0;  // derived, most of them subsumed
  std::size_t structures = 0;
  std::size_t widest_antichain = 0;  // facts of one context and outcome

  EngineStatistics& operator+=(const EngineStatistics& other) {
    contexts += other.contexts;
    facts += other.facts;
    candidates += other.candidates;
    structures += other.structures;
    widest_antichain = std::max(widest_antichain, other.widest_antichain);
    return *this;
  }
};

}  // namespace lockwood::solver
