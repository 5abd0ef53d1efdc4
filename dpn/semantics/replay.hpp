#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "base/process/stop.hpp"
#include "dpn/semantics/small_step.hpp"

namespace lockwood::dpn {

// The first move of a schedule that is not enabled.
struct ReplayError {
  std::size_t index;  // of the move, from 0
  Move move;
  std::string thread;  // its name
  std::string rule;    // its text
  std::string reason;  // such as "lock x is held by main.1"
};

struct Replay {
  Configuration configuration;       // reached by the moves before the error, or by all
  std::optional<ReplayError> error;  // none iff every move was enabled
};

// Makes the moves one after the other from the initial configuration, as the small-step semantics says. Moves may be
// anything. Takes time linear in their number: who holds a lock and which threads have ended with all their offspring
// is kept, not searched for. Throws Interrupted if asked to stop.
[[nodiscard]] Replay replay(const Network& network, std::span<const Move> moves, Semantics semantics,
                            StopToken stop = {});

// "step 4: main.1 cannot use m2 -- a --> b [acquires x, returns to m3]: lock x is held by main"; counted from 1.
[[nodiscard]] std::string to_text(const ReplayError& error);

}  // namespace lockwood::dpn
