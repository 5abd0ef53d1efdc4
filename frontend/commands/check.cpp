#include <fmt/format.h>

#include "frontend/commands/commands.hpp"
#include "frontend/model_input.hpp"
#include "frontend/report_writer.hpp"
#include "frontend/solving.hpp"
#include "frontend/verdict_status.hpp"

namespace lockwood::frontend {
namespace {

struct CheckOptions {
  CommonOptions common;
  SolvingOptions solving;
  std::string path;
  std::vector<std::size_t> queries;
  bool expect = false;
  bool schedule = false;
};

void declare(CLI::App& app, CheckOptions& options) {
  declare_model(app, options.path, options.common.program);
  declare_query_numbers(app, options.queries);
  declare_nolocks(app, options.solving);
  app.add_flag("--expect", options.expect,
               "compare with the verdicts that the file expects: a finding is one that differs")
      ->group(section::analysis)
      ->excludes(app.get_option("--nolocks"));
  declare_observers(app, options.solving);
  declare_explanations(app, options.solving);
  declare_reductions(app, options.solving.reductions);
  declare_proofs(app, options.solving);
  declare_limits(app, options.common.limits);
  app.add_flag("--schedule", options.schedule, "show how what is reachable is reached")->group(section::output);
  declare_report(app, options.common.output);
  declare_json_lines(app, options.common.output);
  declare_verdict(app, options.common.verdict);
  declare_general(app, options.common.general);
}

ExitStatus run(const CheckOptions& options, Run& run) {
  const ModelInput model = read_model(options.path, run);
  const std::vector<dpn::Query> queries = selected_queries(model, options.queries);
  if (queries.empty()) run.note(options.path + " asks no queries; see lockwood reach, conflict and iterate");
  Solver solver{model.file.network, options.solving, run};
  ReportWriter writer{run, {.schedules = options.schedule}};
  writer.about(model);
  writer.expect_queries();
  for (std::size_t i = 0; i < queries.size(); ++i) {
    run.progress.show(fmt::format("query {} of {}", i + 1, queries.size()));
    writer.add(solver.answer(queries[i]));
  }
  if (options.common.general.verbose) run.note(summary_of(writer.answers()));
  writer.finish();
  return status_of(writer.answers(), options.common.verdict,
                   {.reachable = !options.expect, .unexpected = options.expect, .unknown = false});
}

}  // namespace

Command check_command() {
  return make_command<CheckOptions>(
      {.name = "check",
       .group = CommandGroup::Ask,
       .summary = "answer the queries of a model",
       .description =
           "Decides each query of the file, on a line of its own that ends in the verdict: reachable or unreachable. "
           "Exact for unbounded recursion, any number of threads and reentrant locks. What is reachable has a "
           "schedule, "
           "which was replayed before it is shown; what is unreachable has a certificate that lockwood-verify checks.",
       .examples = {{"lockwood check models/fig1.dpn --schedule", "verdicts, and how to get there"},
                    {"lockwood check models/table1-5.dpn --explain --verify", "why not, and is it true?"}},
       .exits = ExitTable::Verdict},
      declare, run);
}

}  // namespace lockwood::frontend
