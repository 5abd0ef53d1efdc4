#pragma once

#include <string>
#include <vector>

namespace lockwood::frontend {

// The whole program: reads the arguments (without the program's name), runs a command, and returns the exit status.
// Throws nothing.
[[nodiscard]] int run_command_line(std::vector<std::string> arguments) noexcept;

}  // namespace lockwood::frontend
