#pragma once

#include <string>
#include <variant>
#include <vector>

#include "base/stop.hpp"
#include "frontend/findings/races.hpp"
#include "frontend/program/lowering.hpp"

// Why two accesses do not race.
namespace lockwood::findings {

// Both are done by the main thread, and nobody else runs their procedures.
struct OneThread {};
// Even without locks they are never before them at the same time: one thread is started too late for that.
struct SpawnOrder {};
// Both sides always hold these locks.
struct SameLocks {
  std::vector<dpn::Lock> locks;
};
// No lock is common, but these together exclude it, and no part of them does.
struct LockOrder {
  std::vector<dpn::Lock> locks;
  std::string example;  // a sentence
};
using Separation = std::variant<OneThread, SpawnOrder, SameLocks, LockOrder>;

// The separation of each conflict, none of which may race; facts are shared where possible. Throws Interrupted.
[[nodiscard]] std::vector<Separation> separations(const program::Program& program, const program::Lowered& lowered,
                                                  const std::vector<Conflict>& apart, StopToken stop = {});

}  // namespace lockwood::findings
