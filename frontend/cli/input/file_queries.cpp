#include "frontend/cli/input/file_queries.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "frontend/cli/answering/verdict_status.hpp"
#include "frontend/cli/options/options.hpp"
#include "frontend/report/text/terminal.hpp"

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

ExitStatus answer_queries(const ModelInput& model, const FileQueryOptions& options, const std::string& advice,
                          ReportWriter& writer, Run& run, const std::function<QueryAnswer(const dpn::Query&)>& answer) {
  const std::vector<dpn::Query> queries = selected_queries(model, options.numbers);
  if (queries.empty()) run.note(fmt::format("{} asks no queries; {}", model.identity.path, advice));
  writer.expect_queries();
  for (std::size_t i = 0; i < queries.size() && !run.stop.stop_requested(); ++i) {
    run.progress.show("query", i + 1, queries.size());
    writer.add(answer(queries[i]));
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
