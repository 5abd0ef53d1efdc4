#include "frontend/cli/answering/solving.hpp"
#include "frontend/cli/commands/commands.hpp"
#include "frontend/cli/input/file_queries.hpp"
#include "frontend/cli/input/model_input.hpp"
#include "frontend/cli/output/report_writer.hpp"

namespace lockwood::frontend {
namespace {

struct CheckOptions {
  CommonOptions common;
  SolvingOptions solving;
  FileQueryOptions queries;
  std::string path;
};

void declare(CLI::App& app, CheckOptions& options) {
  declare_model(app, options.path, options.common.program);
  declare_query_choice(app, options.queries);
  declare_nolocks(app, options.solving);
  declare_expectations(app, options.queries, app.get_option("--nolocks"));
  declare_observers(app, options.solving);
  declare_explanations(app, options.solving);
  declare_reductions(app, options.solving.reductions);
  declare_engine(app, options.solving);
  declare_witness(app, options.solving);
  declare_proofs(app, options.solving);
  declare_limits(app, options.common.limits);
  declare_schedule(app, options.queries);
  declare_pictures(app, options.solving);
  declare_report(app, options.common.output);
  declare_finding_files(app, options.common.output);
  declare_json_lines(app, options.common.output);
  declare_verdict(app, options.common.verdict);
  declare_general(app, options.common.general);
}

ExitStatus run(const CheckOptions& options, Run& run) {
  const ModelInput model = read_model(options.path, run);
  Solver solver{model.file.network, options.solving, run};
  ReportWriter writer{run, {.schedules = options.queries.schedule, .expectations = options.queries.expect}};
  writer.about(model);
  const ExitStatus status = answer_queries(model, options.queries, "see lockwood reach, conflict and iterate", writer,
                                           run, [&](const dpn::Query& query) { return solver.answer(query); });
  solver.write_pictures();
  return status;
}

}  // namespace

Command check_command() {
  return make_command<CheckOptions>(
      {.name = "check",
       .group = CommandGroup::Ask,
       .summary = "answer the queries of a model",
       .description =
           "Decides each query of the file, one a line, which ends in the verdict: reachable or unreachable. "
           "Exact for unbounded recursion, any number of threads and reentrant locks. What is reachable has a "
           "schedule, "
           "which was replayed before it is shown; what is unreachable has a certificate that lockwood-verify checks.",
       .examples = {{"lockwood check models/fig1.dpn --schedule", "verdicts, and how to get there"},
                    {"lockwood check models/table1-5.dpn --explain --verify", "why not, and is it true?"}},
       .exits = ExitTable::Verdict},
      declare, run);
}

}  // namespace lockwood::frontend
