#include "frontend/cli/input/file_queries.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "base/process/standard_streams.hpp"
#include "base/text/diagnostic.hpp"
#include "dpn/formats/text_format.hpp"
#include "frontend/cli/answering/verdict_status.hpp"
#include "frontend/cli/options/options.hpp"
#include "frontend/report/text/terminal.hpp"
#include "solver/analyses/solve.hpp"

namespace lockwood::frontend {

void declare_query_choice(CLI::App& app, FileQueryOptions& options) { declare_query_numbers(app, options.numbers); }

CLI::Option* declare_expectations(CLI::App& app, FileQueryOptions& options, CLI::Option* nolocks) {
  return app
      .add_flag("--expect", options.expect,
                "compare with the verdicts that the file expects: a finding is one that differs")
      ->group(section::analysis)
      ->excludes(nolocks);
}

void declare_schedule(CLI::App& app, FileQueryOptions& options) {
  app.add_flag("--schedule", options.schedule, "show how what is reachable is reached")->group(section::output);
}

QueryAnswer answer_or_fault(const dpn::Query& query, const dpn::Network& network,
                            const std::function<QueryAnswer(const dpn::Query&)>& answer) {
  try {
    return answer(query);
  } catch (const solver::BrokenAnswer& error) {
    return {.query = dpn::to_text(network, query),
            .at = query.at,
            .semantics = query.semantics,
            .verdict = dpn::Verdict::Unknown,
            .unknown_because = std::string{"internal error: "} + error.what(),
            .broken = true};
  }
}

ExitStatus answer_queries(const ModelInput& model, const FileQueryOptions& options, const std::string& advice,
                          ReportWriter& writer, Run& run, const std::function<QueryAnswer(const dpn::Query&)>& answer) {
  const std::vector<dpn::Query> queries = selected_queries(model, options.numbers);
  if (queries.empty()) run.note(fmt::format("{} asks no queries; {}", model.identity.path, advice));
  writer.expect_queries();
  for (std::size_t i = 0; i < queries.size() && !run.stop.stop_requested(); ++i) {
    run.progress.show("query", i + 1, queries.size());
    QueryAnswer answered = answer_or_fault(queries[i], model.file.network, answer);
    if (answered.broken) {  // an error, which --quiet does not silence
      const Progress::Pause pause{run.progress};
      put_message(to_text(Diagnostic{.file = "lockwood",
                                     .message = fmt::format("{}: {}", answered.query, answered.unknown_because),
                                     .hint = "please report it; the other queries are answered"}));
    }
    writer.add(std::move(answered));
  }
  const std::size_t left = queries.size() - writer.answers().size();
  if (left > 0) run.note(fmt::format("{} of {} queries were not begun", left, queries.size()));
  const bool summed_up = run.options.output.path == "-" && is_terminal(STDOUT_FILENO);  // by the writer
  if (run.options.general.verbose && !summed_up) run.note(summary_of(writer.answers()));
  writer.finish();
  const FailureOptions by_default{.reachable = !options.expect, .unexpected = options.expect, .unknown = false};
  std::vector<QueryAnswer> answers = writer.answers();
  if (left > 0) answers.push_back({.query = {}, .verdict = dpn::Verdict::Unknown});
  return status_of(answers, run.options.verdict, by_default);
}

}  // namespace lockwood::frontend
