#include "frontend/cli/manual_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "frontend/cli/help.hpp"
#include "frontend/report/version.hpp"

namespace lockwood::frontend {
namespace {

// The character that begins at the byte, and how many bytes it has.
std::pair<std::uint32_t, std::size_t> character_at(std::string_view text, std::size_t at) {
  const auto byte = static_cast<unsigned char>(text[at]);
  const std::size_t length = byte < 0x80U ? 1 : byte >= 0xF0U ? 4 : byte >= 0xE0U ? 3 : 2;
  std::uint32_t value = length == 1 ? byte : byte & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length && at + i < text.size(); ++i)
    value = (value << 6U) | (static_cast<unsigned char>(text[at + i]) & 0x3FU);
  return {value, length};
}

// The text such that troff shows it as it is.
std::string escaped(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const auto [character, length] = character_at(text, at);
    const bool first = result.empty() || result.back() == '\n';
    if (character == '\\') {
      result += "\\e";
    } else if (character == '-') {
      result += "\\-";  // what can be typed must not become a hyphen
    } else if ((character == '.' || character == '\'') && first) {
      result += "\\&" + std::string{text[at]};  // it would be a request
    } else if (character == '\'') {
      result += "\\(aq";
    } else if (length > 1) {
      result += fmt::format("\\[u{:04X}]", character);
    } else {
      result += text[at];
    }
    at += length;
  }
  return result;
}

std::string header(const std::string& name, const std::string& summary) {
  std::string title = name;
  std::ranges::transform(title, title.begin(),
                         [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  return fmt::format(".TH {} 1 \"\" \"lockwood {}\" \"Lockwood\"\n.SH NAME\n{} \\- {}\n", escaped(title), version(),
                     escaped(name), escaped(summary));
}

std::string tagged(const std::string& tag, const std::string& text) {
  return fmt::format(".TP\n\\fB{}\\fR\n{}\n", escaped(tag), escaped(text));
}

// The table of help, line by line: a number, blanks, its meaning.
std::string exit_status(ExitTable table) {
  std::string page = ".SH EXIT STATUS\n";
  std::istringstream lines{exit_status_help(table)};
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("  ")) continue;
    const std::size_t end = line.find(' ', 2);
    page += tagged(line.substr(2, end - 2), line.substr(line.find_first_not_of(' ', end)));
  }
  return page;
}

std::string examples_section(std::span<const Example> examples) {
  if (examples.empty()) return {};
  std::string page = ".SH EXAMPLES\n";
  for (const Example& example : examples) page += tagged(example.line, example.meaning);
  return page;
}

std::string commands_section(const std::string& title, std::span<const Command> commands) {
  std::string page = fmt::format(".SH {}\n", title);
  for (CommandGroup group : command_groups) {
    std::string entries;
    for (const Command& command : commands)
      if (command.text.group == group) entries += tagged(command.text.name, command.text.summary);
    if (!entries.empty()) page += fmt::format(".SS {}\n{}", title_of(group), entries);
  }
  return page;
}

struct ManualEntry {
  const char* name;
  const char* meaning;
};

// What the program takes from its surroundings. A test compares it with what the sources ask for.
constexpr std::array environment_variables{
    ManualEntry{"LOCKWOOD_OPTIONS",
                "options, --name or --name=value, with blanks between them; the command line wins over "
                "them, and they win over files"},
    ManualEntry{"XDG_CONFIG_HOME", "the folder of the user's configuration, instead of ~/.config"},
    ManualEntry{"XDG_STATE_HOME", "the folder of the history of lockwood repl, instead of ~/.local/state"},
    ManualEntry{"HOME", "the user's folder, ~"},
    ManualEntry{"NO_COLOR", "if it is set and not empty, no colours, unless --color=always asks for them"},
    ManualEntry{"TERM", "if it is dumb, no colours, and no editing of lines in lockwood repl"},
    ManualEntry{"JAVA_HOME",
                "the JDK whose classes Java programs use, if --jdk names none; and its javac, for sources"},
    ManualEntry{"PATH", "where java and javac are, if nothing else tells; and other programs, such as dot for --svg"},
    ManualEntry{"TMPDIR", "the folder for classes of Java sources that are compiled, instead of /tmp"},
};

constexpr std::array files_of_program{
    ManualEntry{"lockwood.json",
                "options, in the folder of the input or above it; the nearest one counts. It may set only what "
                "does no harm"},
    ManualEntry{"~/.config/lockwood/lockwood.json", "options of the user, for all inputs"},
    ManualEntry{"~/.local/state/lockwood/history", "what was typed in lockwood repl"},
    ManualEntry{"FILE.partial", "an output FILE until it is complete; what is known so far, if the program was ended"},
    ManualEntry{"share/doc/lockwood",
                "below the folder where Lockwood is installed: the documentation, and schemas of all "
                "files in JSON"},
};

std::string entries_section(const char* title, std::span<const ManualEntry> entries) {
  std::string page = fmt::format(".SH {}\n", title);
  for (const ManualEntry& entry : entries) page += tagged(entry.name, entry.meaning);
  return page;
}

std::string references(const std::vector<std::string>& pages) {
  std::string text = ".SH SEE ALSO\n";
  for (std::size_t i = 0; i < pages.size(); ++i)
    text += fmt::format(".BR {} (1){}\n", escaped(pages[i]), i + 1 < pages.size() ? "," : "");
  return text;
}

}  // namespace

std::string manual_name(const CLI::App& app) {
  std::string name = "lockwood " + full_name(app);
  std::ranges::replace(name, ' ', '-');
  return name;
}

std::string command_manual(const CLI::App& app, const Command& command) {
  const CommandText& text = command.text;
  const bool chooses = !command.operations.empty();
  std::string page = header(manual_name(app), text.summary);
  page += fmt::format(".SH SYNOPSIS\n\\fBlockwood {}\\fR {}[\\fIOPTIONS\\fR]", escaped(full_name(app)),
                      chooses ? "\\fIOPERATION\\fR " : "");
  const auto options = visible_options(app);
  for (const CLI::Option* option : options)
    if (option->get_positional()) page += fmt::format(" \\fI{}\\fR", escaped(option_spelling(*option)));
  page += fmt::format("{}\n.SH DESCRIPTION\n{}\n", chooses ? " ..." : "", escaped(text.description));
  if (chooses) page += commands_section("OPERATIONS", command.operations);
  page += ".SH OPTIONS\n";
  for (const char* group : option_sections) {
    std::string entries;
    for (const CLI::Option* option : options)
      if (option->get_group() == group) entries += tagged(option_spelling(*option), option->get_description());
    if (!entries.empty()) page += fmt::format(".SS {}\n{}", group, entries);
  }
  page += exit_status(text.exits) + examples_section(text.examples);
  std::vector<std::string> others{"lockwood"};
  if (app.get_parent()->get_parent() != nullptr) others.push_back(manual_name(*app.get_parent()));
  for (const Command& operation : command.operations) others.push_back(manual_name(app) + '-' + operation.text.name);
  return page + references(others);
}

std::string program_manual(const CLI::App& program, std::span<const Command> commands) {
  std::string page = header("lockwood", "decides what concurrent programs can reach");
  page += fmt::format(".SH SYNOPSIS\n\\fBlockwood\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR] ...\n.SH DESCRIPTION\n{}\n",
                      escaped(program.get_description()));
  page += commands_section("COMMANDS", commands);
  page += ".SH OPTIONS\n";
  for (const CLI::Option* option : visible_options(program))
    page += tagged(option_spelling(*option), option->get_description());
  page += exit_status(ExitTable::Verdict) + entries_section("ENVIRONMENT", environment_variables) +
          entries_section("FILES", files_of_program);
  std::vector<std::string> others{"lockwood-verify"};
  for (const Command& command : commands) others.push_back("lockwood-" + command.text.name);
  return page + references(others);
}

}  // namespace lockwood::frontend
