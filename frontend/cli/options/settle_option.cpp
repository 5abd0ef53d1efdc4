#include "frontend/cli/options/settle_option.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/text/quantity.hpp"
#include "frontend/cli/options/options.hpp"

namespace lockwood::frontend {

void declare_settling(CLI::App& app, findings::SettlingBudget& budget) {
  const auto set = [&budget](const std::string& text) {
    budget.search = text != "off";
    if (!budget.search) return;
    budget.time_of_one = parse_duration(text);
    if (!budget.time_of_one)
      throw CLI::ValidationError("--settle", fmt::format("'{}' is neither a time such as 10s or 2m nor 'off'", text));
  };
  app.add_option_function<std::string>(
         "--settle", set,
         fmt::format("of a program: how long to search for a run of each finding that is only possible; by default {} "
                     "states, {} for all",
                     budget.states_of_one, budget.states_of_all))
      ->type_name("TIME|off")
      ->group(section::limits);
}

}  // namespace lockwood::frontend
