#pragma once

#include <string>

#include "base/process/stop.hpp"
#include "dpn/model/network.hpp"

namespace lockwood::frontend {

// The order of locks as a graph for Graphviz: an arrow from each lock that a thread can hold to each that it can take
// meanwhile. Throws Interrupted.
[[nodiscard]] std::string lock_order_dot(const dpn::Network& network, StopToken stop);

}  // namespace lockwood::frontend
