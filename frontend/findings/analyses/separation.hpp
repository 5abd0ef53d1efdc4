#pragma once

#include <string>
#include <variant>
#include <vector>

#include "base/process/stop.hpp"
#include "frontend/findings/analyses/races.hpp"
#include "frontend/program/lowering/lowering.hpp"

// Why two accesses do not race.
namespace lockwood::findings {

// Both are done by the main thread, and nobody else runs their procedures.
struct OneThread {};
// Even without locks, two threads are never before them at the same time: in which order can they be done?
enum class Order { Unasked, FirstIsOver, SecondIsOver, Either, NeverBoth };
struct NeverParallel {
  Order order = Order::Unasked;
  std::vector<dpn::RuleId> joins = {};  // these see to it that one side's thread has ended, if there are any
};
// Both sides always hold these locks.
struct SameLocks {
  std::vector<dpn::Lock> locks;
};
// No lock is common, but these together exclude it, and no part of them does.
struct LockOrder {
  std::vector<dpn::Lock> locks;
  std::string example;  // a sentence
};
using Separation = std::variant<OneThread, NeverParallel, SameLocks, LockOrder>;

// Whether the order of accesses that are never parallel is asked for, by two queries each.
enum class AskOrder { No, Yes };

// The separation of each conflict, none of which may race; facts are shared where possible. Throws Interrupted.
[[nodiscard]] std::vector<Separation> separations(const program::Program& program, const program::Lowered& lowered,
                                                  const std::vector<Conflict>& apart, AskOrder ask_order = AskOrder::No,
                                                  StopToken stop = {});

}  // namespace lockwood::findings
