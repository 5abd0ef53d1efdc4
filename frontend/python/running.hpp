#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <functional>
#include <optional>

#include "base/process/stop.hpp"

namespace lockwood::python {

// Computes while other Python threads run on. Ctrl-C, or whatever signal's handler raises an exception, asks the
// computation to stop, and the exception is raised when it has; so it is after the timeout. Requires the GIL, which
// the computation must not touch. Throws what the computation throws.
void run_interruptibly(std::optional<std::chrono::milliseconds> timeout,
                       const std::function<void(StopToken stop)>& computation);

// The same for what cannot be asked to stop: when an exception is raised by a signal's handler, nobody waits for the
// rest. So it must own all that it needs.
void run_or_abandon(std::function<void()> computation);

}  // namespace lockwood::python
