#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

// Options that are given elsewhere than on the command line: in the variable LOCKWOOD_OPTIONS, or in a file
// `lockwood.json` in the folder of the input or one above. Whoever says more particularly what to do wins, as a whole:
// the command line, then the variable, then what the file says about the command, then what it says about all.
namespace lockwood::frontend {

// An option of the command that is in force.
struct Setting {
  std::string option;               // "--timeout"
  std::vector<std::string> values;  // none for a flag that is set
  std::string source;               // "the command line", "LOCKWOOD_OPTIONS", or the path of the file
};

// The option by which a file is named, or none wanted.
inline constexpr const char* config_option = "--config";
inline constexpr const char* print_config_option = "--print-config";
// Adds both to a command.
void declare_configuration(CLI::App& app);

// There is a variable or a file, which may speak of any command: all must have been declared before it is read.
[[nodiscard]] bool is_configured(const CLI::App& command);

// The settings of the variable and the file for the command, which was given the arguments that it has parsed: without
// those that the command line overrides. Throws InputError: a file that is wrong, or an option that no command has.
[[nodiscard]] std::vector<Setting> configured_settings(const CLI::App& program, const CLI::App& command);

// The settings that stand on the command line.
[[nodiscard]] std::vector<Setting> given_settings(const CLI::App& command);

// As it is written on a command line.
[[nodiscard]] std::vector<std::string> arguments_of(const Setting& setting, const CLI::App& command);

// A line for each, with where it is from.
[[nodiscard]] std::string to_text(const std::vector<Setting>& settings, const CLI::App& command);

}  // namespace lockwood::frontend
