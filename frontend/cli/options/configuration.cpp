#include "frontend/cli/options/configuration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "base/process/text_file.hpp"
#include "base/text/diagnostic.hpp"
#include "base/text/json.hpp"
#include "base/text/json_text.hpp"
#include "base/text/suggestion.hpp"
#include "frontend/cli/help.hpp"
#include "frontend/cli/options/options.hpp"
#include "frontend/cli/options/trust.hpp"

namespace lockwood::frontend {
namespace {

using Json = nlohmann::ordered_json;
constexpr const char* file_name = "lockwood.json";
constexpr const char* variable_name = "LOCKWOOD_OPTIONS";

const CLI::Option* option_named(const CLI::App& app, const std::string& name) {
  const auto options = visible_options(app);
  const auto found = std::ranges::find_if(
      options, [&](const CLI::Option* option) { return !option->get_positional() && option->check_name(name); });
  return found == options.end() ? nullptr : *found;
}

// Whether the option may be in a file or the variable: not those that are about these, or that ask for help.
bool can_be_set(const std::string& name) {
  return name != config_option && name != print_config_option && name != "--help" && name != "-h";
}

void add_options(const CLI::App& app, std::vector<const CLI::App*>& all) {
  for (const CLI::App* command : app.get_subcommands({})) {
    all.push_back(command);
    add_options(*command, all);
  }
}

// Complains unless some command has the option.
void require_known(const CLI::App& program, const std::string& name, const std::string& source) {
  std::vector<const CLI::App*> commands;
  add_options(program, commands);
  Suggestion suggestion{name};
  for (const CLI::App* command : commands) {
    if (can_be_set(name) && option_named(*command, name) != nullptr) return;
    for (const CLI::Option* option : visible_options(*command))
      for (const std::string& known : option->get_lnames())
        if (can_be_set("--" + known)) suggestion.consider("--" + known);
  }
  throw InputError{{Diagnostic{.file = source,
                               .message = can_be_set(name) ? fmt::format("no command has an option '{}'", name)
                                                           : fmt::format("'{}' cannot be set here", name),
                               .hint = suggestion.hint()}}};
}

// ---- The file

std::filesystem::path folder_of_input(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options())
    if (option->get_positional() && option->get_type_name() == "FILE" && option->count() > 0)
      if (const std::string& path = option->results().front(); path != "-")
        return std::filesystem::path{path}.parent_path();
  return {};
}

// Where a file of options is from.
enum class Origin {
  Named,  // by --config
  Own,    // the user's own, for all that the user does
  Found,  // beside the input, or above: nobody asked for it
};

struct Source {
  std::string path;
  Origin origin;
};

// The file that belongs to the user: in the folder where programs keep their settings.
std::optional<std::string> own_file() {
  const char* settings = std::getenv("XDG_CONFIG_HOME");
  const char* home = std::getenv("HOME");
  std::filesystem::path folder;
  if (settings != nullptr && *settings == '/')  // a relative one would be found, not owned
    folder = settings;
  else if (home != nullptr && *home == '/')
    folder = std::filesystem::path{home} / ".config";
  else
    return std::nullopt;
  std::error_code failure;
  const std::filesystem::path file = folder / "lockwood" / file_name;
  return std::filesystem::is_regular_file(file, failure) ? std::optional{file.string()} : std::nullopt;
}

std::optional<std::string> found_file(const CLI::App& command) {
  std::error_code failure;
  std::filesystem::path folder = std::filesystem::absolute(folder_of_input(command) / ".", failure).lexically_normal();
  if (failure) return std::nullopt;
  for (folder = folder.parent_path();; folder = folder.parent_path()) {
    if (std::filesystem::is_regular_file(folder / file_name, failure)) return (folder / file_name).string();
    if (folder == folder.parent_path()) return std::nullopt;
  }
}

// The files to read: what the later ones say wins.
std::vector<Source> configuration_files(const CLI::App& command) {
  const CLI::Option* chosen = option_named(command, config_option);
  if (chosen != nullptr && chosen->count() > 0) {
    const std::string path = chosen->results().front();
    return path == "none" ? std::vector<Source>{} : std::vector<Source>{{path, Origin::Named}};
  }
  std::vector<Source> sources;
  const auto own = own_file();
  if (own) sources.push_back({*own, Origin::Own});
  const auto found = found_file(command);
  std::error_code failure;
  if (found && !(own && std::filesystem::equivalent(*own, *found, failure))) sources.push_back({*found, Origin::Found});
  return sources;
}

class ConfigurationFile {
 public:
  ConfigurationFile(const CLI::App& program, std::string path) : program_{program}, path_{std::move(path)} {}

  // What it says to the command: first what it says to all.
  [[nodiscard]] std::vector<Setting> settings_for(const CLI::App& command) const {
    std::vector<Setting> settings;
    const Json file = parsed();
    for (const auto& [member, value] : file.items()) {
      if (!value.is_object() && member != "$schema") fail(fmt::format("'{}' is not an object", member));
      if (member == "options") {
        for (const auto& [name, given] : value.items()) {
          require_known(program_, "--" + name, path_);
          const CLI::Option* option = option_named(command, "--" + name);
          if (option != nullptr) settings.push_back(setting(name, given, *option));
        }
      } else if (member != "commands" && member != "$schema") {
        fail(fmt::format("unknown member '{}': expected options or commands", member));
      }
    }
    if (const auto commands = file.find("commands"); commands != file.end())
      for (const auto& [name, options] : commands->items()) {
        const CLI::App& about = command_named(name);
        if (!options.is_object()) fail(fmt::format("'{}' is not an object", name));
        for (const auto& [option_name, given] : options.items()) {
          const CLI::Option* option =
              can_be_set("--" + option_name) ? option_named(about, "--" + option_name) : nullptr;
          if (option == nullptr) fail(fmt::format("'{}' has no option '{}'", name, option_name));
          Setting made = setting(option_name, given, *option);
          if (&about == &command) settings.push_back(std::move(made));
        }
      }
    return settings;
  }

 private:
  [[noreturn]] void fail(std::string message, std::string hint = {}) const {
    throw InputError{{Diagnostic{.file = path_, .message = std::move(message), .hint = std::move(hint)}}};
  }

  // It is read before limits and signals are watched: what has no end, or nobody writes to, is refused.
  [[nodiscard]] Json parsed() const {
    constexpr std::uintmax_t largest = std::uintmax_t{1} << 20U;
    std::error_code absent;
    const auto kind = std::filesystem::status(path_, absent).type();
    if (kind != std::filesystem::file_type::not_found && kind != std::filesystem::file_type::directory &&
        kind != std::filesystem::file_type::regular)
      fail("a configuration is a regular file");
    if (kind == std::filesystem::file_type::regular && std::filesystem::file_size(path_, absent) > largest)
      fail("this is larger than 1 MiB, and no configuration");
    const std::string text = read_text_file(path_);
    if (!parse_json_text(text, path_).is_object()) fail("a configuration is an object");
    return Json::parse(text);  // again, for the order of its members
  }

  // "race", or "ta union".
  [[nodiscard]] const CLI::App& command_named(const std::string& name) const {
    std::vector<const CLI::App*> commands;
    add_options(program_, commands);
    Suggestion suggestion{name};
    for (const CLI::App* command : commands) {
      if (full_name(*command) == name) return *command;
      suggestion.consider(full_name(*command));
    }
    fail(fmt::format("there is no command '{}'", name), suggestion.hint());
  }

  [[nodiscard]] std::string word(const std::string& name, const Json& value) const {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_number()) return value.dump();
    fail(fmt::format("the value of '{}' is neither a text nor a number", name));
  }

  [[nodiscard]] Setting setting(const std::string& name, const Json& value, const CLI::Option& option) const {
    Setting made{.option = "--" + name, .values = {}, .source = path_};
    const bool optional_value = option.get_type_name().starts_with('[');
    if (value.is_boolean() && (!takes_value(option) || optional_value)) {
      made.values.emplace_back(optional_value ? "-" : value.get<bool>() ? "true" : "false");
      if (optional_value && !value.get<bool>()) fail(fmt::format("'{}' is not set by false", name));
    } else if (!takes_value(option)) {
      fail(fmt::format("'{}' is either true or false", name));
    } else if (value.is_array()) {
      for (const Json& each : value) made.values.push_back(word(name, each));
    } else {
      made.values.push_back(word(name, value));
    }
    return made;
  }

  const CLI::App& program_;
  std::string path_;
};

// ---- The variable

// Words as a shell would split them, with quotes of both kinds but nothing else.
std::vector<std::string> split_words(const std::string& text) {
  std::vector<std::string> words;
  std::optional<std::string> word;
  char quote = '\0';
  for (char c : text) {
    if (quote != '\0' ? c == quote : c == '\'' || c == '"') {
      quote = quote == '\0' ? c : '\0';
      if (!word) word.emplace();
    } else if (quote == '\0' && (c == ' ' || c == '\t' || c == '\n')) {
      if (word) words.push_back(std::move(*word));
      word.reset();
    } else {
      if (!word) word.emplace();
      *word += c;
    }
  }
  if (quote != '\0') throw InputError{variable_name, fmt::format("a quote {} is not closed", quote)};
  if (word) words.push_back(std::move(*word));
  return words;
}

// Only `--name` and `--name=value`: whether the next word is a value would depend on the command.
std::vector<Setting> settings_of_variable(const CLI::App& program, const CLI::App& command) {
  std::vector<Setting> settings;
  const char* text = std::getenv(variable_name);
  if (text == nullptr) return settings;
  for (const std::string& word : split_words(text)) {
    if (!word.starts_with("--") || word == "--")
      throw InputError{variable_name, fmt::format("'{}' is not an option such as --name or --name=value", word)};
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    require_known(program, name, variable_name);
    const CLI::Option* option = option_named(command, name);
    if (option == nullptr) continue;
    const bool optional_value = option->get_type_name().starts_with('[');
    if (equals == std::string::npos && takes_value(*option) && !optional_value)
      throw InputError{variable_name, fmt::format("'{}' needs a value: {}=…", name, name)};
    const std::string value = equals != std::string::npos ? word.substr(equals + 1) : optional_value ? "-" : "true";
    const auto same = std::ranges::find(settings, name, &Setting::option);
    if (same == settings.end())
      settings.push_back({.option = name, .values = {value}, .source = variable_name});
    else
      same->values.push_back(value);  // an option that can be repeated
  }
  return settings;
}

// Whether the command line has the option, or another that does not go with it.
bool overridden(const CLI::App& command, const std::string& name) {
  const CLI::Option* option = option_named(command, name);
  return option->count() > 0 ||
         std::ranges::any_of(option->get_excludes(), [](const CLI::Option* other) { return other->count() > 0; });
}

// Only what would be in force is looked at: a file that says something about other commands does not keep anybody from
// this one. Throws InputError.
void refuse_distrusted(const std::vector<Setting>& settings, const std::string& found, const std::string& command) {
  std::vector<Diagnostic> refusals;
  for (const Setting& setting : settings) {
    if (setting.source != found) continue;
    if (const auto reason = distrust(command, std::string_view{setting.option}.substr(2), setting.values))
      refusals.push_back({.file = found,
                          .message = fmt::format("this file was found, not named, so it {}", *reason),
                          .hint = fmt::format("--config={} allows all that it says, --config=none ignores it", found)});
  }
  if (!refusals.empty()) throw InputError{std::move(refusals)};
}

}  // namespace

void declare_configuration(CLI::App& app) {
  app.add_option(config_option, "options from this file instead of lockwood.json; none: from no file")
      ->type_name("FILE")
      ->group(section::general);
  const std::string what_it_does = "show which options are in force, and where from, and do nothing";
  app.add_flag(print_config_option, what_it_does)->group(section::general);
}

bool is_configured(const CLI::App& command) {
  return std::getenv(variable_name) != nullptr || !configuration_files(command).empty();
}

std::vector<Setting> configured_settings(const CLI::App& program, const CLI::App& command) {
  std::vector<Setting> settings;
  std::optional<std::string> found;
  const auto add = [&](std::vector<Setting> more) {
    for (Setting& setting : more) {
      std::erase_if(settings, [&](const Setting& before) { return before.option == setting.option; });
      if (!overridden(command, setting.option)) settings.push_back(std::move(setting));
    }
  };
  for (const auto& [path, origin] : configuration_files(command)) {
    add(ConfigurationFile{program, path}.settings_for(command));
    if (origin == Origin::Found) found = path;
  }
  add(settings_of_variable(program, command));
  if (found) refuse_distrusted(settings, *found, full_name(command));
  return settings;
}

std::vector<Setting> given_settings(const CLI::App& command) {
  std::vector<Setting> settings;
  for (const CLI::Option* option : visible_options(command)) {
    if (option->count() == 0 || option->get_positional() || option->get_lnames().empty()) continue;
    const std::string name = "--" + option->get_lnames().front();
    if (name != print_config_option)
      settings.push_back({.option = name, .values = option->results(), .source = "the command line"});
  }
  return settings;
}

std::vector<std::string> arguments_of(const Setting& setting, const CLI::App& command) {
  std::vector<std::string> arguments;
  const CLI::Option* option = option_named(command, setting.option);
  const bool together = option->get_items_expected_min() > 1;  // `--between SET SET`
  if (together) arguments.push_back(setting.option);
  for (const std::string& value : setting.values) {
    const bool set = !takes_value(*option) && value == "true";
    arguments.push_back(together ? value : set ? setting.option : fmt::format("{}={}", setting.option, value));
  }
  return arguments;
}

std::string to_text(const std::vector<Setting>& settings, const CLI::App& command) {
  std::string text;
  for (const Setting& setting : settings)
    text += fmt::format("{}  # from {}\n", fmt::join(arguments_of(setting, command), " "), setting.source);
  return text;
}

}  // namespace lockwood::frontend
