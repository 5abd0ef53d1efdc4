#include "base/process/limit_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>

#include "base/text/quantity.hpp"

namespace lockwood {

void declare_limits(CLI::App& app, Limits& limits) {
  const auto set_timeout = [&limits](const std::string& text) {
    limits.timeout = parse_duration(text);
    if (!limits.timeout)
      throw CLI::ValidationError("--timeout", fmt::format("'{}' is not a time such as 90s or 2m", text));
  };
  const auto set_memory = [&limits](const std::string& text) {
    limits.memory = parse_size(text);
    if (!limits.memory)
      throw CLI::ValidationError("--max-memory", fmt::format("'{}' is not a size such as 512M or 4G", text));
  };
  app.add_option_function<std::string>("--timeout", set_timeout, "give up after this time: 500ms, 90s, 2m, 1h")
      ->type_name("TIME")
      ->group("Limits");
  app.add_option_function<std::string>("--max-memory", set_memory, "give up beyond this much memory: 512M, 4G")
      ->type_name("SIZE")
      ->group("Limits");
}

}  // namespace lockwood
