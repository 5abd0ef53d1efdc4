#pragma once

#include <cstddef>

namespace lockwood::solver {

struct EngineStatistics {
  std::size_t contexts = 0;
  std::size_t facts = 0;
  std::size_t candidates = 0;  // derived, most of them subsumed
  std::size_t structures = 0;
  std::size_t widest_antichain = 0;  // facts of one context and outcome
};

}  // namespace lockwood::solver
