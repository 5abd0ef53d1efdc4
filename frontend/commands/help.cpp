#include "base/diagnostic.hpp"
#include "base/suggestion.hpp"
#include "base/text_file.hpp"
#include "frontend/commands/commands.hpp"

namespace lockwood::frontend {
namespace {

struct HelpOptions {
  CommonOptions common;
  std::string command;
};

void declare(CLI::App& app, HelpOptions& options) {
  app.add_option("COMMAND", options.command, "the command; without it, help on the program")->group(section::input);
}

ExitStatus run(const HelpOptions& options, Run& run) {
  if (options.command.empty()) {
    // Not program.help(): that is the help of the command which was chosen, this one.
    write_text_file("-", run.program.get_formatter()->make_help(&run.program, {}, CLI::AppFormatMode::Normal));
    return ExitStatus::Nothing;
  }
  Suggestion suggestion{options.command};
  for (const CLI::App* command : run.program.get_subcommands({})) {
    if (command->get_name() == options.command) {
      write_text_file("-", command->help());
      return ExitStatus::Nothing;
    }
    suggestion.consider(command->get_name());
  }
  throw InputError{{Diagnostic{
      .file = "lockwood help", .message = "unknown command '" + options.command + '\'', .hint = suggestion.hint()}}};
}

}  // namespace

Command help_command() {
  return make_command<HelpOptions>(
      {.name = "help",
       .group = CommandGroup::Look,
       .summary = "show the help of a command",
       .description = "Shows the help of a command, as COMMAND --help does.",
       .examples = {{"lockwood help", "all commands"}, {"lockwood help explore", "the options of one command"}}},
      declare, run);
}

}  // namespace lockwood::frontend
