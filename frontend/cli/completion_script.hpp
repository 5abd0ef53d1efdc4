#pragma once

#include <CLI/App.hpp>
#include <string>

namespace lockwood::frontend {

enum class Shell { Bash, Zsh, Fish };

// A script that teaches the shell to complete the program's commands, options and their values, found by walking the
// tree of commands: what is declared there is all there is to complete.
[[nodiscard]] std::string completion_script(const CLI::App& program, Shell shell);

}  // namespace lockwood::frontend
