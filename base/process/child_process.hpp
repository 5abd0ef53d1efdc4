#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/process/stop.hpp"

namespace lockwood {

// What another program printed on its standard output, and how it ended, as waitpid tells it.
struct CommandOutput {
  std::string text;
  int status;
};

// Runs a shell command with one more argument: a file with this name in a folder of its own, and with this text.
// Nothing if asked to stop before its end; then it is killed, with the processes it has started.
[[nodiscard]] std::optional<CommandOutput> run_on_file(const std::string& command, const std::string& name,
                                                       const std::string& text, const StopToken& stop);

// Runs a program with arguments; what it writes to standard error counts as printed. Nothing if asked to stop before
// its end; then it is killed, with the processes it has started. A status of 127 says that there is no such program.
[[nodiscard]] std::optional<CommandOutput> run_program(const std::vector<std::string>& words, const StopToken& stop);

}  // namespace lockwood
