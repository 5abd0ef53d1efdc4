#pragma once

#include <cstdint>
#include <vector>

#include "base/process/stop.hpp"
#include "dpn/model/network.hpp"
#include "dpn/semantics/configuration.hpp"
#include "dpn/semantics/small_step.hpp"

namespace lockwood::dpn {

// How the next move is drawn from the enabled ones.
enum class MoveChoice {
  Uniform,      // each with the same chance
  FewerSpawns,  // with n live threads, a spawn has 1/n of the chance of another move: threads multiply slowly
};

struct SimulateOptions {
  Semantics semantics = Semantics::LockSensitive;
  MoveChoice choice = MoveChoice::FewerSpawns;
  std::size_t moves = 100;  // at most
};

enum class RunEnd {
  MoveLimit,  // as many moves as asked for
  AllEnded,   // no thread is left
  Deadlock,   // no thread can move, and one waits for a lock of another or for another to end
  Stuck,      // no thread can move, and none waits: no rule for where they stand
  Stopped,    // asked to stop
};

struct Run {
  std::vector<Move> moves;
  Configuration reached;
  RunEnd end = RunEnd::MoveLimit;
};

// A random run from the initial configuration: the same for the same network, seed and options everywhere.
[[nodiscard]] Run random_run(const Network& network, std::uint64_t seed, const SimulateOptions& options = {},
                             StopToken stop = {});

// The configurations that the moves go through, from the initial one on: one more than there are moves. Requires that
// they can be made one after the other in the lock-insensitive semantics.
[[nodiscard]] std::vector<Configuration> configurations_along(const Network& network, const std::vector<Move>& moves);

}  // namespace lockwood::dpn
