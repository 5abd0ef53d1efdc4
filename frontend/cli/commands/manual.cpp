#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/process/output_error.hpp"
#include "base/process/text_file.hpp"
#include "base/text/diagnostic.hpp"
#include "base/text/suggestion.hpp"
#include "frontend/cli/commands/commands.hpp"
#include "frontend/cli/manual_page.hpp"

namespace lockwood::frontend {
namespace {

struct ManualOptions {
  CommonOptions common;
  std::vector<std::string> command;  // and perhaps its operation
  std::optional<std::string> directory;
};

void declare(CLI::App& app, ManualOptions& options) {
  auto* command = app.add_option("COMMAND", options.command,
                                 "the command, and its operation if it has some; without it, the page of the program")
                      ->expected(0, 2)
                      ->group(section::input);
  app.add_option("--directory", options.directory, "write all pages into this folder instead")
      ->type_name("DIR")
      ->excludes(command)
      ->group(section::output);
}

// The pages of the commands and of their operations.
void write_pages(const CLI::App& parent, const std::vector<Command>& commands, const std::filesystem::path& folder) {
  for (const Command& command : commands) {
    const CLI::App& app = *parent.get_subcommand(command.text.name);
    write_text_file((folder / (manual_name(app) + ".1")).string(), command_manual(app, command));
    write_pages(app, command.operations, folder);
  }
}

ExitStatus run(const ManualOptions& options, Run& run) {
  const std::vector<Command> commands = all_commands();
  if (options.directory) {
    std::error_code failure;
    std::filesystem::create_directories(*options.directory, failure);
    if (failure) throw OutputError{*options.directory, failure.message()};
    write_text_file(*options.directory + "/lockwood.1", program_manual(run.program, commands));
    write_pages(run.program, commands, *options.directory);
    return ExitStatus::Nothing;
  }
  const CLI::App* app = &run.program;
  const std::vector<Command>* choice = &commands;
  const Command* chosen = nullptr;
  for (const std::string& word : options.command) {
    const auto found = std::ranges::find(*choice, word, [](const Command& each) { return each.text.name; });
    if (found == choice->end()) {
      Suggestion suggestion{word};
      for (const Command& each : *choice) suggestion.consider(each.text.name);
      throw InputError{{Diagnostic{
          .file = "lockwood manual", .message = "there is no page about '" + word + "'", .hint = suggestion.hint()}}};
    }
    app = app->get_subcommand(word);
    chosen = &*found;
    choice = &chosen->operations;
  }
  write_text_file("-", chosen == nullptr ? program_manual(run.program, commands) : command_manual(*app, *chosen));
  return ExitStatus::Nothing;
}

}  // namespace

Command manual_command() {
  return make_command<ManualOptions>(
      {.name = "manual",
       .group = CommandGroup::Convert,
       .summary = "write manual pages for man",
       .description = "Writes a manual page about the program or one of its commands, made of the same definitions as "
                      "their help. Installation puts all of them where man finds them.",
       .examples = {{"lockwood manual race | man -l -", "read one"},
                    {"lockwood manual --directory=share/man/man1", "write all"}},
       .shows_commands = true},
      declare, run);
}

}  // namespace lockwood::frontend
