#pragma once

#include <cstdint>
#include <vector>

#include "jvm/code/monitor_structure.hpp"

namespace lockwood::jvm {

// The exits whose monitor need not be held when they are reached: these may throw an IllegalMonitorStateException,
// others do not. Sorted nodes.
//
// A monitor is surely held if on every way to the exit it was entered more often than exited. Objects of different
// numbers may still be the same, so an exit of what is not surely held may exit any of the others: nothing is sure
// after it.
[[nodiscard]] std::vector<std::uint32_t> unsure_exits(const MonitorFlow& flow);

}  // namespace lockwood::jvm
