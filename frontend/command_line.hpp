#pragma once

#include <functional>
#include <string>
#include <vector>

namespace lockwood::frontend {

// The whole program: reads the arguments (without the program's name), runs a command, and returns the exit status.
// Throws nothing.
[[nodiscard]] int run_command_line(std::vector<std::string> arguments) noexcept;

// What this returns, or the exit status that belongs to what it throws, which is told on standard error: an internal
// error, such as a broken answer, is 4.
[[nodiscard]] int run_safely(const std::function<int()>& work) noexcept;

}  // namespace lockwood::frontend
