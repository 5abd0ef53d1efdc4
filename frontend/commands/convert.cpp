#include "frontend/commands/commands.hpp"
#include "frontend/model_format.hpp"
#include "frontend/model_input.hpp"

namespace lockwood::frontend {
namespace {

struct ConvertOptions {
  CommonOptions common;
  std::string path;
  ModelFormat format = ModelFormat::ByName;
};

void declare(CLI::App& app, ConvertOptions& options) {
  declare_model(app, options.path, options.common.program);
  declare_limits(app, options.common.limits);
  declare_model_format(app, options.format);
  declare_output_path(app, options.common.output.path);
  declare_general(app, options.common.general);
}

ExitStatus run(const ConvertOptions& options, Run& run) {
  const ModelInput model = read_model(options.path, run);
  write_model(model.file, options.format, options.common.output.path, run);
  return ExitStatus::Nothing;
}

}  // namespace

Command convert_command() {
  return make_command<ConvertOptions>(
      {.name = "convert",
       .group = CommandGroup::Convert,
       .summary = "write a model in another format",
       .description = "Reads a model with its queries and writes it as .dpn text or as JSON. Nothing is lost but "
                      "comments and layout.",
       .examples = {{"lockwood convert model.dpn -o model.json", "from text to JSON"},
                    {"lockwood convert model.json --to=dpn", "and back"}}},
      declare, run);
}

}  // namespace lockwood::frontend
