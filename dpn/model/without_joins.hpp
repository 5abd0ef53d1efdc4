#pragma once

#include "dpn/model/network.hpp"

namespace lockwood::dpn {

// The network in which nobody waits: joins and forgetting are steps, and there are no groups, not even by name. All
// other ids stay the same; rules that have become equal to others are left out. It has all executions of the network,
// and more.
[[nodiscard]] Network without_joins(const Network& network);

}  // namespace lockwood::dpn
