#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "base/process/stop.hpp"
#include "dpn/model/network.hpp"
#include "dpn/model/procedures.hpp"
#include "dpn/model/reachable_heads.hpp"

namespace lockwood::dpn {

// A network in numbers. Whatever is said about loops, recursion and nesting ignores control states and locks, and takes
// every call to return.
struct Statistics {
  std::array<std::size_t, rule_kind_count> rules_by_kind{};  // by RuleKind
  std::size_t controls = 0;
  std::size_t stacks = 0;
  std::size_t actions = 0;
  std::size_t locks = 0;
  std::size_t groups = 0;
  std::vector<Lock> locks_used;  // by some rule; ascending

  Procedures procedures;
  std::size_t recursive_procedures = 0;

  // Spawn rules that one run can use any number of times: in a loop, in a recursion, or in what is called or spawned
  // from there again and again. Ascending; empty means that the number of threads is bounded.
  std::vector<RuleId> repeated_spawns;

  // The most monitors that one thread can be in at the same time, reentered ones counted each time; none if there is
  // no bound, since a recursion goes through a monitor.
  std::optional<std::size_t> monitor_nesting;

  HeadPrecision precision = HeadPrecision::Exact;  // of the next three
  std::size_t heads = 0;                           // heads of rules
  std::size_t reachable_heads = 0;                 // of these
  std::vector<RuleId> unreachable_rules;           // cannot be used even if locks are ignored; ascending
};

// Linear in the size of the network, up to the effort of reachable_heads. Throws Interrupted if asked to stop.
[[nodiscard]] Statistics statistics(const Network& network, StopToken stop = {});

}  // namespace lockwood::dpn
