#include "frontend/cli/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cctype>
#include <csignal>
#include <exception>
#include <filesystem>
#include <iterator>
#include <new>
#include <optional>
#include <span>
#include <stdexcept>
#include <system_error>

#include "base/process/exit_status.hpp"
#include "base/process/output_error.hpp"
#include "base/process/run_safely.hpp"
#include "base/process/standard_streams.hpp"
#include "base/process/stop.hpp"
#include "base/process/text_file.hpp"
#include "base/process/threads.hpp"
#include "base/process/usage.hpp"
#include "base/process/watchdog.hpp"
#include "base/text/diagnostic.hpp"
#include "base/text/printable.hpp"
#include "base/text/suggestion.hpp"
#include "frontend/cli/commands/commands.hpp"
#include "frontend/cli/help.hpp"
#include "frontend/cli/options/configuration.hpp"
#include "frontend/cli/options/file_options.hpp"
#include "frontend/report/version.hpp"

namespace lockwood::frontend {
namespace {

// The commit tells builds of one version apart.
std::string version_text() {
  const std::string_view from = commit();
  return from.empty() ? fmt::format("lockwood {}", version()) : fmt::format("lockwood {} ({})", version(), from);
}

constexpr const char* description =
    "Decides what concurrent programs with recursion, thread creation and nested locks can reach.";

int code(ExitStatus status) { return static_cast<int>(status); }

// Needs no memory: it may be the lack of it that is to be told.
int fail(ExitStatus status, std::string_view message) noexcept {
  put_message("lockwood: ", message, "\n");
  return code(status);
}

// And not a file that is there.
bool is_class_name(const std::string& word) {
  const bool letters = std::ranges::all_of(word, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_' || c == '$' || (c & 0x80) != 0;
  });
  std::error_code unknown;
  return letters && !word.empty() && word.front() != '.' && !std::filesystem::exists(word, unknown);
}

// An option whose value may be left out takes it only after `=`. CLI11 would take the next argument instead, which is
// the input in `show --json model.dpn`; so the value that stands for none is written out for it. The class in
// `--library pkg.Cache` is no file, and is meant. And everybody who knows Java writes -cp, which CLI11 takes for -c and
// -p.
std::vector<std::string> with_optional_values(std::vector<std::string> arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    std::string& argument = arguments[i];
    if (argument == "--") break;
    if (argument == "--json" || argument == "--dot" || argument == "--svg") argument += "=-";
    if (argument == "-cp") argument = "--class-path";
    if (argument != "--library") continue;
    const bool has_class = i + 1 < arguments.size() && is_class_name(arguments[i + 1]);
    argument += has_class ? "=" + arguments[i + 1] : "=-";
    if (has_class) arguments.erase(arguments.begin() + static_cast<std::ptrdiff_t>(i + 1));
  }
  return arguments;
}

// The part of a misspelt option that is its name: `--ouput` of `--ouput=x`.
std::string_view option_name(std::string_view argument) { return argument.substr(0, argument.find('=')); }

// The command or operation that the arguments chose; the program itself if none.
const CLI::App& chosen_app(const CLI::App& program) {
  const CLI::App* app = &program;
  for (auto chosen = app->get_subcommands(); !chosen.empty(); chosen = app->get_subcommands()) app = chosen.front();
  return *app;
}

// Options of Java programs, which most commands have.
bool is_java_option(std::string_view option) {
  constexpr std::array<std::string_view, 5> options = {"--class-path", "--jdk", "--main", "--models", "--source-path"};
  return std::ranges::find(options, option) != options.end();
}

// What to say about the first argument that nobody knows; nothing if all are known.
std::string unknown_word(const CLI::App& app) {
  const auto remaining = app.remaining();
  if (!remaining.empty() && is_java_option(option_name(remaining.front())))
    return fmt::format("the option '{}' is about Java programs, which this command does not read",
                       option_name(remaining.front()));
  return unknown_argument(app);
}

int report_usage_error(const CLI::App& program, const CLI::ParseError& error) {
  const CLI::App& app = chosen_app(program);
  const std::string name = app.get_parent() == nullptr ? "" : ' ' + full_name(app);
  std::string message = unknown_word(app);
  if (message.empty()) message = usage_message(app, error);
  put_message(fmt::format("lockwood{}: {}\nTry 'lockwood{} --help'.\n", name, message, name));
  return code(ExitStatus::BadInput);
}

int status_after_stop(StopReason reason, const Supervisor& supervisor, Progress& progress) {
  if (const auto signal = supervisor.signal()) return 128 + *signal;
  const Progress::Pause pause{progress};
  return fail(ExitStatus::GaveUp, to_string(reason));
}

// Runs the command under its limits; stopped by one of them, or by a signal, it ends with the status of that.
int execute(const Command& command, const std::string& name, const CLI::App& program) {
  const CommonOptions& options = command.common();
  StopSource source;
  block_watched_signals();
  Progress progress{options.general.quiet ? ProgressMode::None : options.general.progress, source};
  Supervisor supervisor{source, [&progress] { progress.print(); }};
  const Watchdog watchdog{source, options.limits};
  std::optional<solver::RunLog> runs;
  if (options.general.verbose || options.output.statistics) runs.emplace();
  Run run{.command = name,
          .options = options,
          .program = program,
          .stop = StopToken{source},
          .supervisor = supervisor,
          .progress = progress,
          .runs = runs ? &*runs : nullptr,
          .start = std::chrono::steady_clock::now()};
  try {
    const ExitStatus status = command.run(run);
    if (const auto signal = supervisor.signal()) return 128 + *signal;
    return code(run.abridged && !options.verdict.exit_zero ? combined(status, ExitStatus::GaveUp) : status);
  } catch (const Interrupted& interrupted) {
    return status_after_stop(interrupted.reason(), supervisor, progress);
  }
}

void add_commands(CLI::App& parent, std::span<const Command> commands);

// Teaches CLI11 the options of a command, or its operations. Each time, an option takes the words that it needs: what
// follows may be the input.
void declare(CLI::App& app, const Command& command) {
  if (command.operations.empty()) {
    command.declare(app);
    declare_configuration(app);
    for (CLI::Option* option : app.get_options({}))
      if (!option->get_positional()) option->allow_extra_args(false);
  } else {
    add_commands(app, command.operations);
  }
  app.set_help_flag("--help,-h", "show this help")->group(section::general);
}

// Teaches CLI11 the commands. They must outlive the parent. What belongs to a command is declared when the command is
// chosen: with some thirty commands, to declare everything took longer than to answer a small query.
void add_commands(CLI::App& parent, std::span<const Command> commands) {
  parent.require_subcommand(1);
  for (const Command& command : commands) {
    CLI::App* app = parent.add_subcommand(command.text.name, command.text.summary);
    app->formatter_fn([&command](const CLI::App* shown, const std::string&, CLI::AppFormatMode) {
      return command_help(*shown, command);
    });
    app->preparse_callback([app, &command](std::size_t) { declare(*app, command); });
  }
}

// Declares what was not chosen, for those who look at all commands: help, completions, configurations.
void declare_rest(const CLI::App& parent, std::span<const Command> commands) {
  for (const Command& command : commands) {
    CLI::App& app = *parent.get_subcommand(command.text.name);
    if (!app.parsed()) declare(app, command);
    declare_rest(app, command.operations);
  }
}

// The command that an app was made for.
const Command& command_of(const CLI::App& app, std::span<const Command> commands) {
  const CLI::App* parent = app.get_parent();
  const bool is_operation = parent->get_parent() != nullptr;
  const std::span<const Command> siblings = is_operation ? command_of(*parent, commands).operations : commands;
  return *std::ranges::find(siblings, app.get_name(), [](const Command& each) { return each.text.name; });
}

// The program as CLI11 knows it. Each can parse only once: its commands keep what they were given.
struct Parser {
  std::vector<Command> commands = all_commands();
  CLI::App program{description, "lockwood"};

  Parser() {
    program.set_help_flag("--help,-h", "show this help")->group(section::general);
    program.set_version_flag("--version", version_text(), "show the version")->group(section::general);
    add_commands(program, commands);
    program.formatter_fn([this](const CLI::App* shown, const std::string&, CLI::AppFormatMode) {
      return program_help(*shown, commands);
    });
  }

  // CLI11 would take the next argument for the value after an `=` that is followed by nothing.
  void parse(std::vector<std::string> arguments) {
    for (const std::string& argument : arguments) {
      if (argument == "--") break;
      if (argument.starts_with("--") && argument.find('=') == argument.size() - 1)
        throw CLI::ValidationError{argument, "there is no value after the ="};
    }
    std::ranges::reverse(arguments);  // CLI11 takes them from the end
    program.parse(std::move(arguments));
  }
};

// The arguments with the settings behind the names of the command and its operation.
std::vector<std::string> with_settings(std::vector<std::string> arguments, const std::vector<Setting>& settings,
                                       const CLI::App& command) {
  std::vector<std::string> more;
  for (const Setting& setting : settings) std::ranges::copy(arguments_of(setting, command), std::back_inserter(more));
  const std::string name = full_name(command);
  const auto words = std::ranges::count(name, ' ') + 1;
  arguments.insert(arguments.begin() + words, more.begin(), more.end());
  return arguments;
}

// What was parsed was right without the settings: one of them is at fault.
int report_setting_error(const CLI::App& program, const std::vector<Setting>& settings, const CLI::ParseError& error) {
  const std::string message = usage_message(chosen_app(program), error);
  std::string source = "the configuration";
  for (const Setting& setting : settings)
    if (message.find(setting.option) != std::string::npos) source = setting.source;
  return fail(ExitStatus::BadInput, fmt::format("{}: {}", source, message));
}

int parse_and_execute(std::vector<std::string> arguments) {
  Parser given;
  arguments = with_optional_values(std::move(arguments));
  try {
    given.parse(arguments);
  } catch (const CLI::CallForHelp&) {
    write_text_file("-", chosen_app(given.program).help());
    return code(ExitStatus::Nothing);
  } catch (const CLI::CallForVersion& version_text) {
    write_text_file("-", std::string{version_text.what()} + '\n');
    return code(ExitStatus::Nothing);
  } catch (const CLI::ParseError& error) {
    return report_usage_error(given.program, error);
  }
  const CLI::App& command = chosen_app(given.program);
  const std::string name = full_name(command);
  const bool shows_commands = command_of(command, given.commands).text.shows_commands;
  if (shows_commands || is_configured(command)) declare_rest(given.program, given.commands);
  std::vector<Setting> settings;
  try {
    settings = configured_settings(given.program, command);
  } catch (const InputError& error) {
    put_message(error.what());
    return code(ExitStatus::BadInput);
  }
  if (command.get_option(print_config_option)->count() > 0) {
    write_text_file("-", to_text(given_settings(command), command) + to_text(settings, command));
    return code(ExitStatus::Nothing);
  }
  if (settings.empty()) {
    refuse_overwriting(command);
    return execute(command_of(command, given.commands), name, given.program);
  }

  Parser configured;
  try {
    configured.parse(with_settings(std::move(arguments), settings, command));
  } catch (const CLI::ParseError& error) {
    return report_setting_error(configured.program, settings, error);
  }
  if (shows_commands) declare_rest(configured.program, configured.commands);
  const CLI::App& chosen = chosen_app(configured.program);
  refuse_overwriting(chosen);
  return execute(command_of(chosen, configured.commands), name, configured.program);
}

}  // namespace

int run_command_line(std::vector<std::string> arguments) noexcept {
  // A reader that goes away ends us without a word, even if our parent ignores that signal.
  std::signal(SIGPIPE, SIG_DFL);
  return run_safely("lockwood", [&] { return parse_and_execute(std::move(arguments)); });
}

}  // namespace lockwood::frontend
