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

// The answer to a query. If it does not stand up to its check, which is our fault, a broken answer: the queries after
// this one are none the worse.
[[nodiscard]] QueryAnswer answer_or_fault(const dpn::Query& query, const dpn::Network& network,
                                          const std::function<QueryAnswer(const dpn::Query&)>& answer);

// Answers the queries one after the other; what is a finding depends on the options. If there are none, a note says so,
// with the advice. After a broken answer the others are given, and the status is Internal.
[[nodiscard]] ExitStatus answer_queries(const ModelInput& model, const FileQueryOptions& options,
                                        const std::string& advice, ReportWriter& writer, Run& run,
                                        const std::function<QueryAnswer(const dpn::Query&)>& answer);

}  // namespace lockwood::frontend
