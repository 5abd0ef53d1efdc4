#pragma once

#include <CLI/App.hpp>

#include "base/watchdog.hpp"

namespace lockwood::frontend {

// --timeout and --max-memory.
void declare_limits(CLI::App& app, Limits& limits);

}  // namespace lockwood::frontend
