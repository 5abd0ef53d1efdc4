#pragma once

#include <cstddef>

#include "base/ids/id_vector.hpp"
#include "base/process/stop.hpp"
#include "dpn/model/network.hpp"

namespace lockwood::dpn {

enum class HeadPrecision {
  Exact,       // just the heads that a thread can have if locks are ignored
  AnyReturns,  // at least those: a procedure was taken to return to any return point
};

// Where threads can stand if locks are ignored, hence at least where they can stand.
struct ReachableHeads {
  HeadPrecision precision = HeadPrecision::Exact;
  IdVector<RuleId, bool> rules;      // the rule's head is reachable
  IdVector<StackSymbol, bool> tops;  // the symbol can be the top of a stack
};

// With summaries of procedures as long as that takes at most `effort` look-ups, which is at least linear in the rules
// but may be quadratic in the number of control states; beyond that, by a search that is linear in any case.
// Throws Interrupted if asked to stop.
[[nodiscard]] ReachableHeads reachable_heads(const Network& network, std::size_t effort = 100'000'000,
                                             StopToken stop = {});

}  // namespace lockwood::dpn
