#include "frontend/cli/completion_script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <vector>

#include "frontend/cli/help.hpp"

namespace lockwood::frontend {
namespace {

// What can be typed for one option or one positional argument.
struct Word {
  std::vector<std::string> names;  // with dashes; none for a positional argument
  std::string description;
  bool takes_value = false;
  bool value_optional = false;
  bool files = false;
  std::vector<std::string> values;  // if only few are possible
};

// The program, a command or an operation.
struct CommandWords {
  std::string name;
  std::string description;
  std::vector<Word> options;
  std::vector<Word> positionals;
  std::vector<CommandWords> commands;  // to choose one from, if there are any
};

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream{text};
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

Word word_of(const CLI::Option& option) {
  Word word{.names = {}, .description = option.get_description(), .values = {}};
  for (const std::string& name : option.get_lnames()) word.names.push_back("--" + name);
  for (const std::string& name : option.get_snames()) word.names.push_back('-' + name);
  const std::string type = option.get_type_name();
  word.takes_value = takes_value(option);
  word.value_optional = type.starts_with('[');
  word.files = type == "FILE" || type == "[FILE]";
  if (type.find('|') != std::string::npos) word.values = split(type, '|');
  return word;
}

CommandWords words_of(const CLI::App& app) {
  CommandWords words{
      .name = app.get_name(), .description = app.get_description(), .options = {}, .positionals = {}, .commands = {}};
  for (const CLI::Option* option : visible_options(app))
    (option->get_positional() ? words.positionals : words.options).push_back(word_of(*option));
  for (const CLI::App* command : app.get_subcommands({})) words.commands.push_back(words_of(*command));
  return words;
}

std::string joined_names(const std::vector<Word>& options) {
  std::vector<std::string> names;
  for (const Word& option : options) names.insert(names.end(), option.names.begin(), option.names.end());
  return fmt::format("{}", fmt::join(names, " "));
}

// What can be typed where a command or an operation is to be chosen.
std::string choices(const CommandWords& parent) {
  std::string names;
  for (const CommandWords& command : parent.commands) names += command.name + ' ';
  return names + joined_names(parent.options);
}

// Within single quotes of any of the shells: the only character that needs care is the quote itself.
std::string quoted(const std::string& text, const std::string& for_quote) {
  std::string result;
  for (char c : text) result += c == '\'' ? for_quote : std::string{c};
  return result;
}

// The cases for what follows an option that takes a value. `name` is the command, or the command and the operation.
std::string bash_value_cases(const CommandWords& command, const std::string& name) {
  std::string cases;
  for (const Word& option : command.options) {
    if (!option.takes_value || option.value_optional) continue;
    std::vector<std::string> patterns;
    for (const std::string& spelling : option.names) patterns.push_back(fmt::format("'{} {}'", name, spelling));
    const std::string reply = option.files            ? "COMPREPLY=($(compgen -f -- \"$current\"))"
                              : option.values.empty() ? ":"
                                                      : fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$current\"))",
                                                                    fmt::join(option.values, " "));
    cases += fmt::format("    {}) {}; return ;;\n", fmt::join(patterns, "|"), reply);
  }
  for (const CommandWords& operation : command.commands)
    cases += bash_value_cases(operation, name + ' ' + operation.name);
  return cases;
}

// The cases for the other words. Among positional arguments the first one decides.
std::string bash_word_cases(const CommandWords& command, const std::string& name) {
  std::string cases;
  for (const CommandWords& operation : command.commands)
    cases += bash_word_cases(operation, name + ' ' + operation.name);
  if (!command.commands.empty()) return cases;
  cases += fmt::format("    '{} '-*) COMPREPLY=($(compgen -W '{}' -- \"$current\")) ;;\n", name,
                       joined_names(command.options));
  if (command.positionals.empty()) return cases;
  const Word& first = command.positionals.front();
  if (!first.values.empty())
    cases += fmt::format("    '{} '*) COMPREPLY=($(compgen -W '{}' -- \"$current\")) ;;\n", name,
                         fmt::join(first.values, " "));
  else if (first.files)
    cases += fmt::format("    '{} '*) COMPREPLY=($(compgen -f -- \"$current\")) ;;\n", name);
  return cases;
}

// Bash splits `--color=au` into three words.
std::string bash_script(const CommandWords& program) {
  std::string script = fmt::format(
      R"(_lockwood() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}}
  if [ "$current" = = ]; then
    current=
  elif [ "$previous" = = ]; then
    previous=${{COMP_WORDS[COMP_CWORD-2]}}
  fi
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '{}' -- "$current"))
    return
  fi
  local command=${{COMP_WORDS[1]}}
  case "$command $COMP_CWORD" in
)",
      choices(program));
  for (const CommandWords& command : program.commands)
    if (!command.commands.empty())
      script += fmt::format(
          "    '{0} 2') COMPREPLY=($(compgen -W '{1}' -- \"$current\")); return ;;\n"
          "    '{0} '*) command=\"{0} ${{COMP_WORDS[2]}}\" ;;\n",
          command.name, choices(command));
  script += "  esac\n  case \"$command $previous\" in\n";
  for (const CommandWords& command : program.commands) script += bash_value_cases(command, command.name);
  script += "  esac\n  case \"$command $current\" in\n";
  for (const CommandWords& command : program.commands) script += bash_word_cases(command, command.name);
  return script + "  esac\n}\ncomplete -o filenames -F _lockwood lockwood\n";
}

std::string zsh_value(const Word& word) {
  if (word.files) return ":file:_files";
  if (!word.values.empty()) return fmt::format(":value:({})", fmt::join(word.values, " "));
  return ":value:";
}

std::string zsh_description(const std::string& text) {
  std::string result;
  for (char c : quoted(text, "'\\''"))
    result += c == '[' || c == ']' || c == ':' ? std::string{'\\', c} : std::string{c};
  return result;
}

std::string zsh_arguments(const CommandWords& command) {
  std::string text = "_arguments -s";
  for (const Word& option : command.options)
    for (const std::string& name : option.names) {
      const std::string equals = !option.takes_value ? "" : !name.starts_with("--") ? "+" : "=";
      const std::string value = !option.takes_value ? "" : (option.value_optional ? ":" : "") + zsh_value(option);
      text += fmt::format(" \\\n        '{}{}{}[{}]{}'", name, equals, option.value_optional ? "-" : "",
                          zsh_description(option.description), value);
    }
  for (const Word& positional : command.positionals) text += fmt::format(" \\\n        '{}'", zsh_value(positional));
  return text;
}

// Completes the second word as one of the commands, and what follows as that command says, given that the first word
// is their parent.
std::string zsh_choice(const CommandWords& parent) {
  std::string script = "  if (( CURRENT == 2 )); then\n    local -a commands=(\n";
  for (const CommandWords& command : parent.commands)
    script += fmt::format("      '{}:{}'\n", command.name, zsh_description(command.description));
  script += fmt::format("    )\n    _describe command commands\n    compadd -- {}\n    return\n  fi\n",
                        joined_names(parent.options));
  script += "  shift words\n  (( CURRENT-- ))\n  case $words[1] in\n";
  for (const CommandWords& command : parent.commands)
    script += fmt::format("    {})\n{} ;;\n", command.name,
                          command.commands.empty() ? "      " + zsh_arguments(command) : zsh_choice(command));
  return script + "  esac";
}

std::string zsh_script(const CommandWords& program) {
  // As a file in zsh's path of functions, the script is the body of the function, and is to complete at once.
  return "#compdef lockwood\n_lockwood() {\n" + zsh_choice(program) +
         "\n}\nif [ \"$funcstack[1]\" = _lockwood ]; then\n  _lockwood \"$@\"\nelse\n  compdef _lockwood "
         "lockwood\nfi\n";
}

// What is offered after the words of `path`, such as `ta union`.
std::string fish_lines(const CommandWords& command, const std::string& path) {
  std::string script;
  const std::string condition = "__lockwood_after" + (path.empty() ? "" : ' ' + path);
  const auto add = [&](const std::string& when, const Word& word) {
    script += fmt::format("complete -c lockwood -n '{}'", when);
    for (const std::string& name : word.names)
      script += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    if (word.takes_value && !word.value_optional && !word.names.empty()) script += " -r";
    if (word.files) script += " -F";
    if (!word.values.empty()) script += fmt::format(" -a '{}'", fmt::join(word.values, " "));
    script += fmt::format(" -d '{}'\n", quoted(word.description, "\\'"));
  };
  const bool chooses = !command.commands.empty();
  for (const Word& option : command.options) add(chooses ? condition + " --choose" : condition, option);
  for (const Word& positional : command.positionals)
    if (positional.files || !positional.values.empty()) add(condition, positional);
  for (const CommandWords& each : command.commands) {
    script += fmt::format("complete -c lockwood -n '{} --choose' -a {} -d '{}'\n", condition, each.name,
                          quoted(each.description, "\\'"));
    script += fish_lines(each, path.empty() ? each.name : path + ' ' + each.name);
  }
  return script;
}

// Words are compared by their places, as `convert` is both a command and an operation.
std::string fish_script(const CommandWords& program) {
  return R"(function __lockwood_after
  set -l words (commandline -opc)
  set -e words[1]
  if test "$argv[-1]" = --choose
    set -e argv[-1]
    test "$words" = "$argv"
    return
  end
  set -l count (count $argv)
  test (count $words) -ge $count; and test "$words[1..$count]" = "$argv"
end
complete -c lockwood -f
)" + fish_lines(program, "");
}

}  // namespace

std::string completion_script(const CLI::App& program, Shell shell) {
  const CommandWords words = words_of(program);
  switch (shell) {
    case Shell::Bash: return bash_script(words);
    case Shell::Zsh: return zsh_script(words);
    case Shell::Fish: return fish_script(words);
  }
  return {};
}

}  // namespace lockwood::frontend
