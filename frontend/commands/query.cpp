#include <filesystem>
#include <optional>

#include "base/text_file.hpp"
#include "frontend/commands/commands.hpp"
#include "frontend/model_input.hpp"
#include "frontend/report_writer.hpp"
#include "frontend/sets/parser.hpp"
#include "frontend/sets/session.hpp"

namespace lockwood::frontend {
namespace {

struct QueryOptions {
  CommonOptions common;
  std::string path;
  sets::Way way = sets::Way::Automatic;
  std::size_t states = sets::Limits{}.states;
};

void declare(CLI::App& app, QueryOptions& options) {
  app.add_option("FILE", options.path, "the script; - is standard input")
      ->required()
      ->type_name("FILE")
      ->group(section::input);
  add_choice<sets::Way>(app, "--way", options.way, {{"auto", sets::Way::Automatic}, {"automata", sets::Way::Automata}},
                        "how to decide whether sets are empty: by the engine where it can be asked, or always by "
                        "automata (default auto)")
      ->group(section::analysis);
  declare_limits(app, options.common.limits);
  add_number(app, "--max-states", options.states, "give up on automata with more states (default 100000)")
      ->group(section::limits);
  declare_report(app, options.common.output);
  declare_general(app, options.common.general);
}

ExitStatus status_of(const sets::Result& result) {
  if (std::holds_alternative<sets::GaveUp>(result.what)) return ExitStatus::GaveUp;
  const auto* checked = std::get_if<sets::Checked>(&result.what);
  if (checked == nullptr || checked->outcome == sets::Outcome::Holds) return ExitStatus::Nothing;
  return checked->outcome == sets::Outcome::Fails ? ExitStatus::Finding : ExitStatus::GaveUp;
}

ExitStatus run(const QueryOptions& options, Run& run) {
  const sets::Script script =
      sets::parse_script(read_text_file(options.path), options.path == "-" ? "<stdin>" : options.path);
  ReportWriter writer{run};
  writer.expect_script();
  ExitStatus status = ExitStatus::Nothing;
  sets::Session session{
      {.limits = {.states = options.states, .stop = run.stop},
       .way = options.way,
       .folder = options.path == "-" ? "" : std::filesystem::path{options.path}.parent_path().string(),
       .load =
           [&](const std::string& path) {
             ModelInput model = read_model(path, run);
             writer.about(model.identity);
             return std::move(model.file.network);
           },
       .report =
           [&](sets::Result result) {
             status = combined(status, status_of(result));
             if (const auto* written = std::get_if<sets::Written>(&result.what)) run.note("wrote " + written->path);
             writer.add(std::move(result));
           }}};
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
           "docs/sets.md describes the language.",
       .examples = {{"lockwood query docs/examples/fig1.lwq", "the example of the paper, step by step"},
                    {"echo 'load \"models/fig1.dpn\"; witness(post*(init) & stand({s2}))' | lockwood query -",
                     "a script from standard input: a small tree in which a thread stands at s2"}},
       .exits = ExitTable::Checks},
      declare, run);
}

}  // namespace lockwood::frontend
