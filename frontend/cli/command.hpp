#pragma once

#include <CLI/App.hpp>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/process/exit_status.hpp"
#include "frontend/cli/options/options.hpp"
#include "frontend/cli/run.hpp"

namespace lockwood::frontend {

// What a command is for; help lists commands by it.
enum class CommandGroup { Ask, Compute, Look, Convert, Research };

struct Example {
  std::string line;
  std::string meaning;
};

struct CommandText {
  std::string name;
  CommandGroup group;
  std::string summary;      // half a line, for the list of commands
  std::string description;  // a paragraph, for its own help
  std::vector<Example> examples;
  ExitTable exits = ExitTable::Computation;
  bool shows_commands = false;  // looks at the options of all commands, in Run::program
};

// A command of the program: how it presents itself, which options it has, and what it does with them. A command with
// operations is nothing but the choice among them, and has no other members than its text.
struct Command {
  CommandText text;
  std::function<void(CLI::App&)> declare;
  std::function<const CommonOptions&()> common;
  std::function<ExitStatus(Run&)> run;
  std::vector<Command> operations;
};

// A command with options of its own type, which has a member `common` of type CommonOptions. The command keeps them.
template <class Options>
[[nodiscard]] Command make_command(CommandText text, void (*declare)(CLI::App&, Options&),
                                   ExitStatus (*run)(const Options&, Run&)) {
  auto options = std::make_shared<Options>();
  return Command{.text = std::move(text),
                 .declare = [options, declare](CLI::App& app) { declare(app, *options); },
                 .common = [options]() -> const CommonOptions& { return options->common; },
                 .run = [options, run](Run& surroundings) { return run(*options, surroundings); },
                 .operations = {}};
}

[[nodiscard]] inline Command make_command_of(CommandText text, std::vector<Command> operations) {
  return Command{.text = std::move(text), .declare = {}, .common = {}, .run = {}, .operations = std::move(operations)};
}

}  // namespace lockwood::frontend
