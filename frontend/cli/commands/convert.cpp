#include "dpn/model/only_locks.hpp"
#include "frontend/cli/commands/commands.hpp"
#include "frontend/cli/input/model_format.hpp"
#include "frontend/cli/input/model_input.hpp"

namespace lockwood::frontend {
namespace {

struct ConvertOptions {
  CommonOptions common;
  std::string path;
  bool nolocks = false;
  ModelFormat format = ModelFormat::ByName;
};

void declare(CLI::App& app, ConvertOptions& options) {
  declare_model(app, options.path, options.common.program);
  app.add_flag("--nolocks", options.nolocks, "write monitors as calls, so that no lock is left")
      ->group(section::reductions);
  declare_limits(app, options.common.limits);
  declare_model_format(app, options.format);
  declare_output_path(app, options.common.output.path);
  declare_general(app, options.common.general);
}

ExitStatus run(const ConvertOptions& options, Run& run) {
  ModelInput model = read_model(options.path, run);
  if (options.nolocks) {
    model.file.network = dpn::without_locks(model.file.network);
    for (dpn::Query& query : model.file.queries)
      if (query.semantics == dpn::Semantics::LockSensitive) query.expected.reset();  // it was about the locks
  }
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
                    {"lockwood convert model.json --to=dpn", "and back"},
                    {"lockwood convert model.dpn --nolocks", "what is left of it without its locks"}}},
      declare, run);
}

}  // namespace lockwood::frontend
