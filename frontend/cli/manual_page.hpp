#pragma once

#include <CLI/App.hpp>
#include <span>
#include <string>

#include "frontend/cli/command.hpp"

namespace lockwood::frontend {

// The manual page of the program, in the language of man(7): `lockwood.1`.
[[nodiscard]] std::string program_manual(const CLI::App& program, std::span<const Command> commands);

// The manual page of a command or operation: `lockwood-race.1`, `lockwood-ta-union.1`.
[[nodiscard]] std::string command_manual(const CLI::App& app, const Command& command);

// The name of the page of a command: `lockwood-race`.
[[nodiscard]] std::string manual_name(const CLI::App& app);

}  // namespace lockwood::frontend
