#include "base/process/text_file.hpp"
#include "frontend/cli/commands/commands.hpp"
#include "frontend/cli/completion_script.hpp"

namespace lockwood::frontend {
namespace {

struct CompletionsOptions {
  CommonOptions common;
  Shell shell = Shell::Bash;
};

void declare(CLI::App& app, CompletionsOptions& options) {
  add_choice<Shell>(app, "SHELL", options.shell, {{"bash", Shell::Bash}, {"zsh", Shell::Zsh}, {"fish", Shell::Fish}},
                    "bash, zsh or fish")
      ->required()
      ->group(section::input);
}

ExitStatus run(const CompletionsOptions& options, Run& run) {
  write_text_file("-", completion_script(run.program, options.shell));
  return ExitStatus::Nothing;
}

}  // namespace

Command completions_command() {
  return make_command<CompletionsOptions>(
      {.name = "completions",
       .group = CommandGroup::Convert,
       .summary = "write a script by which a shell completes commands",
       .description = "Writes a script that teaches a shell to complete commands, options and files of lockwood.",
       .examples = {{"source <(lockwood completions bash)", "for the running bash"},
                    {"lockwood completions fish > ~/.config/fish/completions/lockwood.fish", "for fish, for good"}},
       .shows_commands = true},
      declare, run);
}

}  // namespace lockwood::frontend
