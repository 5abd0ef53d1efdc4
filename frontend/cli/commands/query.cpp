#include <filesystem>
#include <optional>

#include "base/process/text_file.hpp"
#include "frontend/cli/commands/commands.hpp"
#include "frontend/cli/input/model_input.hpp"
#include "frontend/cli/options/set_options.hpp"
#include "frontend/cli/output/report_writer.hpp"
#include "frontend/report/dot/svg_picture.hpp"
#include "frontend/sets/parser.hpp"
#include "frontend/sets/session.hpp"

namespace lockwood::frontend {
namespace {

struct QueryOptions {
  CommonOptions common;
  std::string path;
  SetOptions sets;
};

void declare(CLI::App& app, QueryOptions& options) {
  app.add_option("FILE", options.path, "the script; - is standard input")
      ->required()
      ->type_name("FILE")
      ->group(section::input);
  declare_set_options(app, options.sets);
  declare_limits(app, options.common.limits);
  declare_report(app, options.common.output);
  declare_statistics(app, options.common.output);
  declare_general(app, options.common.general);
}

ExitStatus run(const QueryOptions& options, Run& run) {
  const sets::Script script = sets::parse_script(read_text_file(options.path, run.stop), shown_path(options.path));
  ReportWriter writer{run};
  writer.expect_script();
  ExitStatus status = ExitStatus::Nothing;
  sets::Session session{
      {.limits = {.states = options.sets.states, .stop = run.stop},
       .way = options.sets.way,
       .folder = options.path == "-" ? "" : std::filesystem::path{options.path}.parent_path().string(),
       .load =
           [&](const std::string& path) {
             ModelInput model = read_model(path, run);
             writer.about(model.identity);
             return set_model(std::move(model));
           },
       .report =
           [&](sets::Result result) {
             status = combined(status, status_of(result));
             if (const auto* written = std::get_if<sets::Written>(&result.what)) run.note("wrote " + written->path);
             writer.add(std::move(result));
           },
       .warn = [&](const Diagnostic& warning) { run.warn(warning); },
       .svg = to_svg}};
  // Whatever ends the script early, what is known by then is written.
  std::optional<InputError> wrong;
  std::optional<Interrupted> interrupted;
  run.progress.show("computing");
  try {
    session.run(script);
  } catch (const InputError& error) {
    wrong = error;
  } catch (const Interrupted& reason) {
    interrupted = reason;
  }
  writer.finish();
  if (wrong) throw InputError{*wrong};
  if (interrupted && status != ExitStatus::Finding) throw Interrupted{*interrupted};
  return status;
}

}  // namespace

Command query_command() {
  return make_command<QueryOptions>(
      {.name = "query",
       .group = CommandGroup::Research,
       .summary = "run a script about sets of execution trees",
       .description =
           "Runs a script that builds sets of execution trees from a model, combines and compares them, and "
           "checks what should hold of them. Sets are named by let, checked by check, shown by writing them down. "
           "docs/sets.md describes the language. There is no --verify: a set that automata decide has no certificate, "
           "but "
           "--way=automata decides by them what the engine decided; commands that ask the engine alone have --verify.",
       .examples = {{"lockwood query docs/examples/fig1.lwq", "the example of the paper, step by step"},
                    {"echo 'load \"models/fig1.dpn\"; witness(post*(init) & stand({s2}))' | lockwood query -",
                     "a script from standard input: a small tree in which a thread is at s2"}},
       .exits = ExitTable::Checks},
      declare, run);
}

}  // namespace lockwood::frontend
