#pragma once

#include <CLI/App.hpp>
#include <functional>
#include <string>
#include <vector>

#include "base/process/exit_status.hpp"
#include "dpn/model/query.hpp"
#include "frontend/cli/input/model_input.hpp"
#include "frontend/cli/output/report_writer.hpp"
#include "frontend/cli/run.hpp"

// What the commands that answer the queries of a file have in common.
namespace lockwood::frontend {

struct FileQueryOptions {
  std::vector<std::size_t> numbers;  // of the queries to answer; none: all
  bool expect = false;
  bool schedule = false;
};

// `--query`.
void declare_query_choice(CLI::App& app, FileQueryOptions& options);
// `--expect`, not together with the option that ignores locks.
CLI::Option* declare_expectations(CLI::App& app, FileQueryOptions& options, CLI::Option* nolocks);
// `--schedule`.
void declare_schedule(CLI::App& app, FileQueryOptions& options);

// Answers the queries one after the other; what is a finding depends on the options. If there are none, a note says so,
// with the advice.
[[nodiscard]] ExitStatus answer_queries(const ModelInput& model, const FileQueryOptions& options,
                                        const std::string& advice, ReportWriter& writer, Run& run,
                                        const std::function<QueryAnswer(const dpn::Query&)>& answer);

}  // namespace lockwood::frontend
