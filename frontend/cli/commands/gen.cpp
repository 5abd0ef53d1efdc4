#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "base/process/text_file.hpp"
#include "dpn/generators/generate.hpp"
#include "frontend/cli/commands/commands.hpp"
#include "frontend/cli/input/model_format.hpp"
#include "frontend/cli/output/report_writer.hpp"

namespace lockwood::frontend {
namespace {

struct GenOptions {
  CommonOptions common;
  std::string family;
  std::optional<std::int64_t> size;
  std::vector<dpn::ParameterValue> parameters;
  bool list = false;
  ModelFormat format = ModelFormat::ByName;
};

std::int64_t integer_in(const std::string& name, const std::string& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size())
    throw CLI::ValidationError(name, fmt::format("'{}' is not a number", text));
  return number;
}

// The parameters of all families as options, each with what it means to which family.
void declare_parameters(CLI::App& app, GenOptions& options) {
  std::vector<std::string> names;  // in the order of the families
  std::map<std::string, std::string> descriptions;
  for (const dpn::Family& family : dpn::families())
    for (const dpn::Parameter& parameter : family.parameters) {
      const std::string name{parameter.name};
      std::string& description = descriptions[name];
      if (description.empty()) names.push_back(name);
      description += fmt::format("{}{}: {} (default {})", description.empty() ? "" : "; ", family.name,
                                 parameter.description, parameter.initial);
    }
  for (const std::string& name : names) {
    const auto set = [&options, name](const std::string& text) {
      options.parameters.push_back({name, integer_in("--" + name, text)});
    };
    app.add_option_function<std::string>("--" + name, set, descriptions[name])
        ->type_name("N")
        ->group(section::parameters);
  }
}

void declare(CLI::App& app, GenOptions& options) {
  std::string names;
  for (const dpn::Family& family : dpn::families()) names += (names.empty() ? "" : "|") + std::string{family.name};
  app.add_option("FAMILY", options.family, "the family of models; see --list")->type_name(names)->group(section::input);
  app.add_option_function<std::string>(
         "SIZE", [&options](const std::string& text) { options.size = integer_in("SIZE", text); },
         "the family's first parameter")
      ->type_name("N")
      ->group(section::input);
  auto* list =
      app.add_flag("--list", options.list, "list the families and their parameters instead")->group(section::input);
  declare_parameters(app, options);
  declare_limits(app, options.common.limits);
  declare_model_format(app, options.format);
  declare_report(app, options.common.output);
  declare_general(app, options.common.general);
  for (CLI::Option* option : app.get_options({}))
    if (option->get_group() == section::parameters) list->excludes(option);
  for (const char* name : {"FAMILY", "SIZE", "--to"}) list->excludes(app.get_option(name));
  for (const char* name : {"--json", "--timing"}) app.get_option(name)->needs(list);
  app.get_option("--json")->description("of --list: write JSON instead of text, or besides it into a file");
}

ExitStatus list_families(Run& run) {
  Table families{.key = "families", .title = "Families", .columns = {"family", "description"}, .rows = {}};
  Table parameters{.key = "parameters",
                   .title = "Parameters",
                   .columns = {"family", "parameter", "default", "minimum", "maximum", "description"},
                   .rows = {}};
  for (const dpn::Family& family : dpn::families()) {
    families.rows.push_back({std::string{family.name}, std::string{family.description}});
    for (const dpn::Parameter& parameter : family.parameters)
      parameters.rows.push_back({std::string{family.name}, std::string{parameter.name}, parameter.initial,
                                 parameter.minimum, parameter.maximum, std::string{parameter.description}});
  }
  ReportWriter writer{run};
  writer.add(std::move(families));
  writer.add(std::move(parameters));
  writer.finish();
  return ExitStatus::Nothing;
}

ExitStatus run(const GenOptions& options, Run& run) {
  if (options.list) return list_families(run);
  if (options.family.empty()) throw InputError{"lockwood gen", "FAMILY is missing; --list tells which there are"};
  const dpn::Family& family = dpn::family_named(options.family);
  std::vector<dpn::ParameterValue> values = options.parameters;
  if (options.size) {
    if (family.parameters.empty()) throw InputError{"lockwood gen", options.family + " has no parameter for SIZE"};
    values.insert(values.begin(), {std::string{family.parameters.front().name}, *options.size});
  }
  run.progress.show("generating");
  const dpn::ModelFile model = dpn::generate(family, values, run.stop);
  write_model(model, options.format, options.common.output.path, run);
  return ExitStatus::Nothing;
}

}  // namespace

Command gen_command() {
  return make_command<GenOptions>(
      {.name = "gen",
       .group = CommandGroup::Research,
       .summary = "make a model of a family, of any size",
       .description = "Writes a model of a family that grows with its parameters, with its queries and, where they are "
                      "known, their verdicts. The same parameters make the same model everywhere.",
       .examples = {{"lockwood gen --list", "the families and their parameters"},
                    {"lockwood gen philosophers 5 -o philosophers5.dpn", "five dining philosophers"}}},
      declare, run);
}

}  // namespace lockwood::frontend
