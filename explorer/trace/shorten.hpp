#pragma once

#include "explorer/search/search.hpp"

namespace lockwood::explorer {

// Switches away from a thread that could have gone on. The run must be possible from here; the machine goes back.
[[nodiscard]] std::size_t preemptions(Machine& machine, const Run& run);

struct ShortenOptions {
  std::size_t max_states = 20'000;           // of the search for the least number
  std::size_t max_replayed_steps = 200'000;  // while steps are moved and left out
  std::vector<Oracle*> oracles;
  StopToken stop;
};

// A run to the same target that is easier to read. If the search for fewest preemptions ends within its bound, there is
// none with fewer. Steps are moved and left out one by one as long as the run still leads there. The machine must be
// where the run begins, and goes back there; marks that were made before are lost.
[[nodiscard]] Run shortened(Machine& machine, const Run& run, Target& target, const ShortenOptions& options = {});

// The same for a finding; other threads may take the parts in it.
[[nodiscard]] Finding shortened(Machine& machine, const Finding& finding, const ShortenOptions& options = {});

}  // namespace lockwood::explorer
