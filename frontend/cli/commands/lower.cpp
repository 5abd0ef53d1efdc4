#include <fmt/format.h>

#include <optional>

#include "base/process/text_file.hpp"
#include "dpn/formats/json_format.hpp"
#include "dpn/formats/text_format.hpp"
#include "frontend/cli/commands/commands.hpp"
#include "frontend/cli/input/model_format.hpp"
#include "frontend/cli/input/program_input.hpp"

namespace lockwood::frontend {
namespace {

struct LowerOptions {
  CommonOptions common;
  std::string path;
  ModelFormat format = ModelFormat::ByName;
  std::optional<std::string> json;  // where to
};

void declare(CLI::App& app, LowerOptions& options) {
  declare_program(app, options.path, options.common.program);
  declare_limits(app, options.common.limits);
  auto* format = declare_model_format(app, options.format);
  app.add_option("--json", options.json, "write JSON instead of text, into a file if one is named")
      ->type_name("[FILE]")
      ->excludes(format)
      ->group(section::output);
  declare_output_path(app, options.common.output.path);
  declare_general(app, options.common.general);
}

// Where the program does what the rule does.
std::string remark(const ProgramModel& model, dpn::RuleId rule) {
  const program::RuleOrigin& origin = model.lowered.rules[rule];
  const program::SourceRange& range = program::range_of(model.source.program, origin);
  return fmt::format("{}:{}: {}", range.begin.line, range.begin.column, origin.what);
}

std::string model_text(const ProgramModel& model, StopToken stop) {
  std::string text =
      fmt::format("// The model of {}: positions are PROCEDURE:LINE, comments LINE:COLUMN.\n", model.source.path);
  for (const program::LoweredLabel& label : model.lowered.labels) {
    text += fmt::format("// label {}:", label.name);
    for (dpn::StackSymbol symbol : label.symbols)
      text += fmt::format(" '{}'", model.lowered.network.stack_symbols().name(symbol));
    text += label.symbols.empty() ? " control never gets there\n" : "\n";
  }
  return text + dpn::to_dpn(
                    model.lowered.network, {}, [&](dpn::RuleId rule) { return remark(model, rule); }, stop);
}

ExitStatus run(const LowerOptions& options, Run& run) {
  const ModelInput model = read_model(options.path, run);
  if (!model.program) throw InputError{options.path, "this is a model already, not a program"};
  const std::string& given = options.common.output.path;
  const std::string& path = options.json && *options.json != "-" ? *options.json : given;
  const ModelFormat format = options.json ? ModelFormat::Json : options.format;
  if (is_json(format, path)) {
    write_model(model.file, format, path, run);
    return ExitStatus::Nothing;
  }
  const std::string text = model_text(*model.program, run.stop);
  run.stop.check();
  run.write_answer(path, text);
  return ExitStatus::Nothing;
}

}  // namespace

Command lower_command() {
  return make_command<LowerOptions>(
      {.name = "lower",
       .group = CommandGroup::Convert,
       .summary = "write the model of a program",
       .description =
           "Reads a program and writes the model that the other commands decide: every position and rule "
           "knows its line. Integers and shared variables are forgotten, bools are kept. Names of symbols and actions "
           "stay what they are in the program; labels are in the texts of symbols, where queries find them.",
       .examples = {{"lockwood lower program.lw", "the model as .dpn text, with remarks"},
                    {"lockwood lower program.lw -o program.json", "as JSON"}}},
      declare, run);
}

}  // namespace lockwood::frontend
