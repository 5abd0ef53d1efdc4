#include "base/process/usage.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <optional>
#include <string_view>

#include "base/text/printable.hpp"
#include "base/text/suggestion.hpp"

namespace lockwood {
namespace {

// The text up to the words, and behind them; nothing if they are not there.
struct Parts {
  std::string before;
  std::string behind;
};
std::optional<Parts> parted(const std::string& text, std::string_view words) {
  const std::size_t at = text.find(words);
  if (at == std::string::npos) return std::nullopt;
  return Parts{text.substr(0, at), text.substr(at + words.size())};
}

std::string missing(const CLI::App& app, const std::string& name) {
  const CLI::Option* option = app.get_option_no_throw(name);
  const std::string description = option == nullptr ? "" : option->get_description();
  return description.empty() ? name + " is missing" : fmt::format("{} is missing: {}", name, description);
}

// CLI11 tells how many values there should be, in four ways.
std::string wrong_count(const std::string& message) {
  const auto parts = parted(message, ": ");
  if (!parts) return message;
  const auto& [name, rest] = *parts;
  if (rest.starts_with("At Most 1 ")) return name + " is given more than once";
  if (const auto counts = parted(rest, " required but received ")) {
    const std::string number = counts->before.substr(counts->before.rfind(' ') + 1);
    return fmt::format("{}: at {} {} are needed, not {}", name, rest.starts_with("At least") ? "least" : "most", number,
                       counts->behind);
  }
  if (const auto typed = parted(rest, " required ")) {
    const auto type = parted(typed->behind, " missing");
    if (type && typed->before == "1") return fmt::format("{} needs a value: {}={}", name, name, type->before);
    if (type) return fmt::format("{} needs {} values: {}", name, typed->before, type->before);
  }
  return message;
}

std::string wrong_value(const CLI::App& app, const std::string& message) {
  const auto parts = parted(message, "Could not convert: ");
  const auto sides = parts ? parted(parts->behind, " = ") : std::nullopt;
  if (!sides) return message;
  const CLI::Option* option = app.get_option_no_throw(sides->before);
  if (option != nullptr && option->get_items_expected_max() == 0)
    return fmt::format("{} takes no value, but '{}' is given", sides->before, printable(sides->behind));
  return fmt::format("{}: '{}' is not what is expected here", sides->before, printable(sides->behind));
}

}  // namespace

std::string usage_message(const CLI::App& app, const CLI::ParseError& error) {
  std::string message = error.what();
  while (!message.empty() && (message.back() == '\n' || message.back() == ' ')) message.pop_back();
  const std::string kind = error.get_name();
  if (message == "A subcommand is required") return app.get_parent() == nullptr ? "no command" : "no operation";
  if (message == "FILE is required") return "no input: FILE is missing";
  if (kind == "RequiredError") {
    if (const auto parts = parted(message, " is required")) return missing(app, parts->before);
  } else if (kind == "ExcludesError") {
    if (const auto parts = parted(message, " excludes "))
      return fmt::format("{} and {} exclude each other", parts->before, parts->behind);
  } else if (kind == "RequiresError") {
    if (const auto parts = parted(message, " requires "))
      return fmt::format("{} needs {}", parts->before, parts->behind);
  } else if (kind == "ArgumentMismatch") {
    return wrong_count(message);
  } else if (kind == "ConversionError") {
    return wrong_value(app, message);
  }
  return message;  // of a ValidationError, which is ours
}

std::string unknown_argument(const CLI::App& app) {
  const auto remaining = app.remaining();
  if (remaining.empty()) return {};
  const std::string& argument = remaining.front();
  const bool is_option = argument.starts_with('-') && argument != "-";
  const std::string name = is_option ? argument.substr(0, argument.find('=')) : argument;
  const auto commands = app.get_subcommands({});
  Suggestion suggestion{name};
  if (is_option) {
    for (const CLI::Option* known : app.get_options())
      for (const std::string& each : known->get_group().empty() ? std::vector<std::string>{} : known->get_lnames())
        suggestion.consider("--" + each);
  } else {
    for (const CLI::App* command : commands) suggestion.consider(command->get_name());
  }
  const std::string_view what = is_option                     ? "unknown option"
                                : commands.empty()            ? "unexpected argument"
                                : app.get_parent() == nullptr ? "unknown command"
                                                              : "unknown operation";
  std::string message = fmt::format("{} '{}'", what, printable(name));
  if (const std::string hint = suggestion.hint(); !hint.empty()) message += "; " + hint;
  return message;
}

}  // namespace lockwood
