#include "frontend/completion_script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <vector>

#include "frontend/help.hpp"

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

struct CommandWords {
  std::string name;
  std::string description;
  std::vector<Word> options;
  std::vector<Word> positionals;
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
  CommandWords words{.name = app.get_name(), .description = app.get_description(), .options = {}, .positionals = {}};
  for (const CLI::Option* option : visible_options(app))
    (option->get_positional() ? words.positionals : words.options).push_back(word_of(*option));
  return words;
}

std::string joined_names(const std::vector<Word>& options) {
  std::vector<std::string> names;
  for (const Word& option : options) names.insert(names.end(), option.names.begin(), option.names.end());
  return fmt::format("{}", fmt::join(names, " "));
}

// Within single quotes of any of the shells: the only character that needs care is the quote itself.
std::string quoted(const std::string& text, const std::string& for_quote) {
  std::string result;
  for (char c : text) result += c == '\'' ? for_quote : std::string{c};
  return result;
}

// Bash splits `--color=au` into three words.
std::string bash_script(const CommandWords& program, const std::vector<CommandWords>& commands) {
  std::vector<std::string> command_names;
  for (const CommandWords& command : commands) command_names.push_back(command.name);
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
    COMPREPLY=($(compgen -W '{} {}' -- "$current"))
    return
  fi
  case "${{COMP_WORDS[1]}} $previous" in
)",
      fmt::join(command_names, " "), joined_names(program.options));
  for (const CommandWords& command : commands)
    for (const Word& option : command.options) {
      if (!option.takes_value || option.value_optional) continue;
      std::vector<std::string> patterns;
      for (const std::string& name : option.names) patterns.push_back(fmt::format("'{} {}'", command.name, name));
      const std::string reply = option.files            ? "COMPREPLY=($(compgen -f -- \"$current\"))"
                                : option.values.empty() ? ":"
                                                        : fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$current\"))",
                                                                      fmt::join(option.values, " "));
      script += fmt::format("    {}) {}; return ;;\n", fmt::join(patterns, "|"), reply);
    }
  script += "  esac\n  case \"${COMP_WORDS[1]} $current\" in\n";
  for (const CommandWords& command : commands) {
    script += fmt::format("    '{} '-*) COMPREPLY=($(compgen -W '{}' -- \"$current\")) ;;\n", command.name,
                          joined_names(command.options));
    for (const Word& positional : command.positionals) {
      if (!positional.values.empty())
        script += fmt::format("    '{} '*) COMPREPLY=($(compgen -W '{}' -- \"$current\")) ;;\n", command.name,
                              fmt::join(positional.values, " "));
      else if (positional.files)
        script += fmt::format("    '{} '*) COMPREPLY=($(compgen -f -- \"$current\")) ;;\n", command.name);
      break;  // the first one decides
    }
  }
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

std::string zsh_script(const CommandWords& program, const std::vector<CommandWords>& commands) {
  std::string script = "#compdef lockwood\n_lockwood() {\n  if (( CURRENT == 2 )); then\n    local -a commands=(\n";
  for (const CommandWords& command : commands)
    script += fmt::format("      '{}:{}'\n", command.name, zsh_description(command.description));
  script += fmt::format("    )\n    _describe command commands\n    compadd -- {}\n    return\n  fi\n",
                        joined_names(program.options));
  script += "  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $command in\n";
  for (const CommandWords& command : commands) {
    script += fmt::format("    {})\n      _arguments -s", command.name);
    for (const Word& option : command.options)
      for (const std::string& name : option.names) {
        const std::string equals = !option.takes_value ? "" : !name.starts_with("--") ? "+" : "=";
        const std::string value = !option.takes_value ? "" : (option.value_optional ? ":" : "") + zsh_value(option);
        script += fmt::format(" \\\n        '{}{}{}[{}]{}'", name, equals, option.value_optional ? "-" : "",
                              zsh_description(option.description), value);
      }
    for (const Word& positional : command.positionals)
      script += fmt::format(" \\\n        '{}'", zsh_value(positional));
    script += " ;;\n";
  }
  return script + "  esac\n}\ncompdef _lockwood lockwood\n";
}

std::string fish_script(const CommandWords& program, const std::vector<CommandWords>& commands) {
  std::string script = "complete -c lockwood -f\n";
  const auto add = [&](const std::string& condition, const Word& word) {
    script += fmt::format("complete -c lockwood -n '{}'", condition);
    for (const std::string& name : word.names)
      script += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    if (word.takes_value && !word.value_optional && !word.names.empty()) script += " -r";
    if (word.files) script += " -F";
    if (!word.values.empty()) script += fmt::format(" -a '{}'", fmt::join(word.values, " "));
    script += fmt::format(" -d '{}'\n", quoted(word.description, "\\'"));
  };
  for (const Word& option : program.options) add("__fish_use_subcommand", option);
  for (const CommandWords& command : commands) {
    script += fmt::format("complete -c lockwood -n __fish_use_subcommand -a {} -d '{}'\n", command.name,
                          quoted(command.description, "\\'"));
    const std::string condition = "__fish_seen_subcommand_from " + command.name;
    for (const Word& option : command.options) add(condition, option);
    for (const Word& positional : command.positionals)
      if (positional.files || !positional.values.empty()) add(condition, positional);
  }
  return script;
}

}  // namespace

std::string completion_script(const CLI::App& program, Shell shell) {
  const CommandWords words = words_of(program);
  std::vector<CommandWords> commands;
  for (const CLI::App* command : program.get_subcommands({})) commands.push_back(words_of(*command));
  switch (shell) {
    case Shell::Bash: return bash_script(words, commands);
    case Shell::Zsh: return zsh_script(words, commands);
    case Shell::Fish: return fish_script(words, commands);
  }
  return {};
}

}  // namespace lockwood::frontend
