#include "base/process/text_file.hpp"
#include "base/text/diagnostic.hpp"
#include "base/text/suggestion.hpp"
#include "frontend/cli/commands/commands.hpp"

namespace lockwood::frontend {
namespace {

struct HelpOptions {
  CommonOptions common;
  std::vector<std::string> command;  // and perhaps its operation
};

void declare(CLI::App& app, HelpOptions& options) {
  app.add_option("COMMAND", options.command,
                 "the command, and its operation if it has some; without it, help on the program")
      ->expected(0, 2)
      ->group(section::input);
}

const CLI::App& command_named(const std::string& name, const CLI::App& parent) {
  Suggestion suggestion{name};
  for (const CLI::App* command : parent.get_subcommands({})) {
    if (command->get_name() == name) return *command;
    suggestion.consider(command->get_name());
  }
  const std::string what = parent.get_parent() == nullptr ? "command" : "operation";
  throw InputError{{Diagnostic{
      .file = "lockwood help", .message = "unknown " + what + " '" + name + '\'', .hint = suggestion.hint()}}};
}

ExitStatus run(const HelpOptions& options, Run& run) {
  if (options.command.empty()) {
    // Not program.help(): that is the help of the command which was chosen, this one.
    write_text_file("-", run.program.get_formatter()->make_help(&run.program, {}, CLI::AppFormatMode::Normal));
    return ExitStatus::Nothing;
  }
  const CLI::App* app = &run.program;
  for (const std::string& word : options.command) app = &command_named(word, *app);
  write_text_file("-", app->help());
  return ExitStatus::Nothing;
}

}  // namespace

Command help_command() {
  return make_command<HelpOptions>(
      {.name = "help",
       .group = CommandGroup::Look,
       .summary = "show the help of a command",
       .description = "Shows the help of a command, as COMMAND --help does.",
       .examples = {{"lockwood help", "all commands"}, {"lockwood help explore", "the options of one command"}},
       .shows_commands = true},
      declare, run);
}

}  // namespace lockwood::frontend
