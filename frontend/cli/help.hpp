#pragma once

#include <CLI/App.hpp>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "frontend/cli/command.hpp"

namespace lockwood::frontend {

// `lockwood --help`: usage, one sentence, commands by group, exit status, two examples.
[[nodiscard]] std::string program_help(const CLI::App& program, std::span<const Command> commands);

// `lockwood COMMAND --help`: usage, description, operations by group or options by section, exit status, examples.
[[nodiscard]] std::string command_help(const CLI::App& app, const Command& command);

// The groups in the order in which help lists them, and how it calls them.
inline constexpr std::array command_groups{CommandGroup::Ask, CommandGroup::Compute, CommandGroup::Look,
                                           CommandGroup::Convert, CommandGroup::Research};
[[nodiscard]] const char* title_of(CommandGroup group);

// The sections of options in the order in which help lists them.
inline constexpr std::array option_sections{section::input,    section::parameters, section::reductions,
                                            section::analysis, section::limits,     section::output,
                                            section::general};

// How a command is called after the name of the program: `show`, or `ta union` for an operation.
[[nodiscard]] std::string full_name(const CLI::App& app);

// How an option is written: `--output=FILE, -o FILE`, `--json[=FILE]`, `FILE`.
[[nodiscard]] std::string option_spelling(const CLI::Option& option);

// False for flags.
[[nodiscard]] inline bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() != 0; }

// The options a person may type, that is, without hidden ones.
[[nodiscard]] std::vector<const CLI::Option*> visible_options(const CLI::App& app);

}  // namespace lockwood::frontend
