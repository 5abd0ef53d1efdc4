#pragma once

#include <CLI/App.hpp>

#include "frontend/findings/settling.hpp"

namespace lockwood::frontend {

// `--settle=TIME|off`: for commands that settle what is only possible in a program.
void declare_settling(CLI::App& app, findings::SettlingBudget& budget);

}  // namespace lockwood::frontend
