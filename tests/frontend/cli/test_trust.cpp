#include <doctest/doctest.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "frontend/cli/commands/commands.hpp"
#include "frontend/cli/help.hpp"
#include "frontend/cli/options/configuration.hpp"
#include "frontend/cli/options/file_options.hpp"
#include "frontend/cli/options/trust.hpp"

namespace lockwood::frontend {
namespace {

// Calls `visit` with each option of each command, and the full name of the command.
void for_each_option(const std::function<void(const std::string&, const CLI::Option&)>& visit) {
  const std::vector<Command> commands = all_commands();
  CLI::App program{"all commands", "lockwood"};
  const auto declare = [&](CLI::App& parent, const Command& command, const auto& self) -> void {
    CLI::App* app = parent.add_subcommand(command.text.name, command.text.summary);
    for (const Command& operation : command.operations) self(*app, operation, self);
    if (!command.operations.empty()) return;
    command.declare(*app);
    declare_configuration(*app);
    for (const CLI::Option* option : visible_options(*app)) visit(full_name(*app), *option);
  };
  for (const Command& command : commands) declare(program, command, declare);
}

bool names_file(const CLI::Option& option) {
  const std::string& type = option.get_type_name();
  return type.find("FILE") != std::string::npos || type == "DIR" || type == "QUERIES";
}

TEST_CASE("every option of every command is declared harmless or not") {
  std::size_t options = 0;
  for_each_option([&](const std::string& command, const CLI::Option& option) {
    if (option.get_positional()) return;
    for (const std::string& name : option.get_lnames()) {
      CAPTURE(command);
      CAPTURE(name);
      const OptionTrust* row = trust_in(command, name);
      REQUIRE(row != nullptr);
      ++options;
      const std::string& type = option.get_type_name();
      if (type == "[FILE]") {
        CHECK((row->trust == Trust::StandardOutput || row->trust == Trust::Refused));
      } else if (names_file(option) || type.find("COMMAND") != std::string::npos) {
        CHECK(row->trust == Trust::Refused);
      }
      // What holds without the option is told by its help; where it is, the row must know it.
      const bool limit = option.get_group() == section::limits;
      if (limit) CHECK((row->trust == Trust::OnlyLower || row->trust == Trust::Refused));
      if (row->trust == Trust::OnlyLower && !row->limit.empty() && row->command.empty())
        CHECK(option.get_description().find(std::string{row->limit}) != std::string::npos);
      if (row->trust == Trust::OnlyLower && row->limit.empty())
        CHECK(option.get_description().find("default") == std::string::npos);
    }
  });
  CHECK(options > 500);
}

TEST_CASE("every row of the table is about an option that there is") {
  for (const OptionTrust& row : trust_table()) {
    bool used = false;
    for_each_option([&](const std::string& command, const CLI::Option& option) {
      for (const std::string& name : option.get_lnames()) used = used || trust_in(command, name) == &row;
    });
    CAPTURE(std::string{row.command});
    CAPTURE(std::string{row.option});
    CHECK((used || row.option == "help"));
  }
}

TEST_CASE("what a configuration that was found may say") {
  CHECK(!distrust("race", "brief", {"true"}));
  CHECK(!distrust("race", "timeout", {"2h"}));
  CHECK(!distrust("race", "json", {"-"}));
  CHECK(*distrust("race", "json", {"../notes.txt"}) == "may not let 'json' write a file");
  CHECK(*distrust("race", "html", {"-"}) == "may not set 'html'");
  CHECK(*distrust("cross", "external", {"x=sh"}) == "may not set 'external'");
  CHECK(*distrust("check", "dot", {"-"}) == "may not set 'dot'");
  CHECK(!distrust("show", "dot", {"-"}));
  CHECK(distrust("ta member", "tree", {"x"}));
  CHECK(!distrust("show", "tree", {"reach {x}"}));
  CHECK(distrust("merge", "expect", {"x"}));
  CHECK(!distrust("check", "expect", {"true"}));
  CHECK(!distrust("lsp", "timeout", {"30s"}));
  CHECK(*distrust("lsp", "timeout", {"31s"}) == "may not raise 'timeout' above 30s");
  CHECK(!distrust("lsp", "max-memory", {"4096M"}));
  CHECK(distrust("lsp", "max-memory", {"4097M"}));
  CHECK(!distrust("race", "max-valuations", {"4096"}));
  CHECK(distrust("race", "max-valuations", {"4097"}));
  CHECK(distrust("gen", "threads", {"3"}));
  CHECK(distrust("race", "no-such-option", {}));
}

TEST_CASE("every option that names a file is known to read or to write it") {
  std::size_t files = 0;
  for_each_option([&](const std::string& command, const CLI::Option& option) {
    CAPTURE(command);
    CAPTURE(option.get_name());
    const bool known = role_of(command, option) != FileRole::None;
    CHECK(known == names_file(option));
    files += known ? 1 : 0;
  });
  CHECK(files > 100);
}

}  // namespace
}  // namespace lockwood::frontend
