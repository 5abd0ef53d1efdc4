#pragma once

#include <CLI/App.hpp>

#include "base/process/watchdog.hpp"

namespace lockwood {

// --timeout and --max-memory.
void declare_limits(CLI::App& app, Limits& limits);

}  // namespace lockwood
