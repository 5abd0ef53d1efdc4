#include "frontend/cli/help.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "frontend/report/text/terminal.hpp"

namespace lockwood::frontend {
namespace {

constexpr std::size_t page_width = 100;
constexpr std::size_t description_column = 30;

std::string entry(const std::string& name, const std::string& description, std::size_t column) {
  std::string text = "  " + name;
  const std::size_t width = display_width(text);
  text += width + 2 > column ? '\n' + std::string(column, ' ') : std::string(column - width, ' ');
  return text + wrapped(description, page_width, column) + '\n';
}

std::string examples_text(std::span<const Example> examples) {
  std::string text = "Examples:\n";
  for (const Example& example : examples) text += fmt::format("  {}\n      {}\n", example.line, example.meaning);
  return text;
}

std::string commands_by_group(std::span<const Command> commands) {
  std::string text;
  for (CommandGroup group : command_groups) {
    std::string lines;
    for (const Command& command : commands)
      if (command.text.group == group) lines += entry(command.text.name, command.text.summary, 16);
    if (!lines.empty()) text += fmt::format("\n{}:\n{}", title_of(group), lines);
  }
  return text;
}

}  // namespace

const char* title_of(CommandGroup group) {
  switch (group) {
    case CommandGroup::Ask: return "Ask";
    case CommandGroup::Compute: return "Compute";
    case CommandGroup::Look: return "Look";
    case CommandGroup::Convert: return "Convert";
    case CommandGroup::Research: return "Research";
  }
  return "";
}

std::string option_spelling(const CLI::Option& option) {
  if (option.get_positional() && !option.nonpositional()) {
    std::string name = option.get_name(true);
    return option.get_required() ? name : '[' + name + ']';
  }
  const std::string type = takes_value(option) ? option.get_type_name() : "";
  const bool optional_value = type.starts_with('[');
  std::string text;
  for (const std::string& name : option.get_lnames()) {
    if (!text.empty()) text += ", ";
    text += "--" + name;
    if (optional_value) {
      text += "[=" + type.substr(1);
    } else if (!type.empty()) {
      text += '=' + type;
    }
  }
  for (const std::string& name : option.get_snames()) {
    if (!text.empty()) text += ", ";
    text += '-' + name + (type.empty() ? "" : ' ' + type);
  }
  return text;
}

std::vector<const CLI::Option*> visible_options(const CLI::App& app) {
  return app.get_options([](const CLI::Option* option) { return !option->get_group().empty(); });
}

std::string full_name(const CLI::App& app) {
  std::string name;
  for (const CLI::App* each = &app; each->get_parent() != nullptr; each = each->get_parent())
    name = each->get_name() + (name.empty() ? "" : ' ' + name);
  return name;
}

std::string command_help(const CLI::App& app, const Command& command) {
  const CommandText& text = command.text;
  const bool chooses = !command.operations.empty();
  std::string usage = fmt::format("Usage: lockwood {}{} [OPTIONS]", full_name(app), chooses ? " OPERATION" : "");
  const auto options = visible_options(app);
  for (const CLI::Option* option : options)
    if (option->get_positional()) usage += ' ' + option_spelling(*option);
  if (chooses) usage += " ...";

  std::string page = fmt::format("{}\n\n{}\n{}", usage, wrapped(text.description, page_width, 0),
                                 commands_by_group(command.operations));
  for (const char* group : option_sections) {
    std::string lines;
    for (const CLI::Option* option : options)
      if (option->get_group() == group)
        lines += entry(option_spelling(*option), option->get_description(), description_column);
    if (!lines.empty()) page += fmt::format("\n{}:\n{}", group, lines);
  }
  if (chooses)
    page += fmt::format("  lockwood {} OPERATION --help tells the options of an operation.\n", full_name(app));
  page += '\n' + exit_status_help(text.exits);
  if (!text.examples.empty()) page += '\n' + examples_text(text.examples);
  return page;
}

std::string program_help(const CLI::App& program, std::span<const Command> commands) {
  std::string page =
      fmt::format("Usage: lockwood COMMAND [OPTIONS] ...\n\n{}\n", wrapped(program.get_description(), page_width, 0));
  page += commands_by_group(commands);
  page += "\nGeneral:\n";
  for (const CLI::Option* option : visible_options(program))
    page += entry(option_spelling(*option), option->get_description(), 16);
  page += "  lockwood COMMAND --help tells the options of a command.\n";
  page += '\n' + exit_status_help(ExitTable::Verdict);
  static const std::vector<Example> examples{
      {"lockwood show models/fig1.dpn", "what is in the model"},
      {"lockwood explore models/fig1.dpn --schedule", "answer its queries by brute force, with schedules"}};
  return page + '\n' + examples_text(examples);
}

}  // namespace lockwood::frontend
