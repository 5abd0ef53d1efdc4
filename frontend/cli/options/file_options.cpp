#include "frontend/cli/options/file_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include "base/process/text_file.hpp"
#include "base/text/diagnostic.hpp"
#include "frontend/cli/help.hpp"

namespace lockwood::frontend {
namespace {

// All that an option is called on the command line; without dashes for an argument.
std::string name_of(const CLI::Option& option) {
  if (option.get_positional()) return option.get_name(true);
  return option.get_lnames().empty() ? "-" + option.get_snames().front() : "--" + option.get_lnames().front();
}

template <std::size_t N>
bool is_among(std::string_view name, const std::array<std::string_view, N>& names) {
  return std::ranges::find(names, name) != names.end();
}

// `--observer=2=FILE`.
std::string without_number(const std::string& text) {
  const std::size_t digits = text.find_first_not_of("0123456789");
  return digits != std::string::npos && digits > 0 && text[digits] == '=' ? text.substr(digits + 1) : text;
}

// Whether one of them would take the place of the other. Folders and devices keep their places.
bool same(const std::string& a, const std::string& b) {
  std::error_code failure;
  return is_same_file(a, b) || (a == b && !std::filesystem::exists(a, failure));
}

// Whether a file that is read would go: also under the name that an answer has until it is complete.
bool endangers(const std::string& output, const std::string& input) {
  return is_same_file(output, input) || is_same_file(output + ".partial", input);
}

}  // namespace

FileRole role_of(std::string_view command, const CLI::Option& option) {
  constexpr std::array<std::string_view, 9> written{"--output", "--json",      "--sarif",  "--html",  "--dot",
                                                    "--svg",    "--directory", "--proofs", "--svcomp"};
  constexpr std::array<std::string_view, 10> read{"--baseline", "--config",   "--ends", "--facts",  "--jdk",
                                                  "--models",   "--observer", "--over", "--resume", "--source-path"};
  const std::string name = name_of(option);
  if (option.get_positional()) {
    constexpr std::array<std::string_view, 2> files{"FILE", "QUERIES"};
    return is_among(option.get_type_name(), files) ? FileRole::Read : FileRole::None;
  }
  if (is_among(name, written)) return FileRole::Written;
  if (name == "--facts" && command == "show") return FileRole::None;  // of a method
  if (is_among(name, read)) return FileRole::Read;
  if (name == "--program" && command == "replay") return FileRole::Read;
  if (name == "--tree" && command.starts_with("ta ")) return FileRole::Read;
  if (name == "--expect" && command == "merge") return FileRole::Read;
  return FileRole::None;
}

std::vector<std::string> files_named(const CLI::App& app, FileRole role) {
  std::vector<std::string> files;
  const std::string command = full_name(app);
  for (const CLI::Option* option : visible_options(app)) {
    if (option->count() == 0 || role_of(command, *option) != role) continue;
    for (const std::string& value : option->results()) {
      const std::string file = name_of(*option) == "--observer" ? without_number(value) : value;
      if (file != "-") files.push_back(file);
    }
  }
  return files;
}

void refuse_overwriting(const CLI::App& app) {
  const std::vector<std::string> written = files_named(app, FileRole::Written);
  if (written.empty()) return;
  const CLI::Option* resumed = app.get_option_no_throw("--resume");
  for (const std::string& input : files_named(app, FileRole::Read)) {
    // A batch goes on in the file that it is resumed from.
    if (resumed != nullptr && resumed->count() > 0 && resumed->results().front() == input) continue;
    for (const std::string& output : written)
      if (endangers(output, input))
        throw InputError{output, fmt::format("the answer would take the place of {}, which is read; write it to "
                                             "another file",
                                             input == output ? "this file" : "'" + input + "'")};
  }
  for (auto first = written.begin(); first != written.end(); ++first)
    for (auto second = first + 1; second != written.end(); ++second)
      if (same(*first, *second))
        throw InputError{*second, "two answers would be written to this file; write one of them to another file"};
}

}  // namespace lockwood::frontend
