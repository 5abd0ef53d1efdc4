#include <fmt/format.h>

#include "frontend/commands/commands.hpp"
#include "frontend/findings/flow_finding.hpp"
#include "frontend/program_input.hpp"
#include "frontend/report_writer.hpp"
#include "frontend/verdict_status.hpp"

namespace lockwood::frontend {
namespace {

struct FlowOptions {
  CommonOptions common;
  std::string path;
  std::string from;
  std::string to;
  std::size_t max_transfers = findings::FlowOptions{}.max_transfers;
  std::size_t max_chains = findings::FlowOptions{}.max_chains;
};

void declare(CLI::App& app, FlowOptions& options) {
  declare_program(app, options.path, options.common.program);
  app.add_option("--from", options.from, "label of a statement that writes shared variables")
      ->type_name("LABEL")
      ->required()
      ->group(section::input);
  app.add_option("--to", options.to, "label of a statement that reads shared variables")
      ->type_name("LABEL")
      ->required()
      ->group(section::input);
  add_number(app, "--max-transfers", options.max_transfers,
             fmt::format("statements in between that a chain may have (default {})", options.max_transfers))
      ->group(section::limits);
  add_number(app, "--max-chains", options.max_chains,
             fmt::format("chains to ask about (default {})", options.max_chains))
      ->group(section::limits);
  declare_baseline(app, options.common.output);
  declare_limits(app, options.common.limits);
  declare_report(app, options.common.output);
  declare_finding_files(app, options.common.output);
  declare_json_lines(app, options.common.output);
  declare_finding_verdict(app, options.common.verdict);
  declare_general(app, options.common.general);
}

// The accesses of the labelled statement.
std::vector<findings::AccessId> accesses_of(const ProgramInput& input, const program::LoweredLabel& label,
                                            program::AccessKind kind) {
  std::vector<findings::AccessId> found;
  bool any = false;
  for (std::size_t i = 0; i < input.lowered().accesses.size(); ++i) {
    const program::Access& access = input.lowered().accesses[i];
    if (access.kind != kind || access.procedure != label.procedure || !program::contains(label.range, access.range))
      continue;
    any = true;
    if (!access.before.empty()) found.emplace_back(i);
  }
  if (!any)
    throw InputError{{Diagnostic{.file = input.path(),
                                 .at = label.range.begin,
                                 .message = fmt::format("the statement labelled '{}' {} no shared variable", label.name,
                                                        kind == program::AccessKind::Write ? "writes" : "reads"),
                                 .excerpt = {},
                                 .hint = {}}}};
  return found;
}

ExitStatus run(const FlowOptions& options, Run& run) {
  const ProgramInput input = read_program(options.path, run);
  const program::LoweredLabel& from = label_named(input, options.from);
  const program::LoweredLabel& to = label_named(input, options.to);
  const auto sources = accesses_of(input, from, program::AccessKind::Write);
  const auto sinks = accesses_of(input, to, program::AccessKind::Read);
  run.progress.show("chains");
  const findings::FlowAnswer answer =
      findings::find_flow(input.program(), input.lowered(), sources, sinks,
                          {.max_transfers = options.max_transfers, .max_chains = options.max_chains, .stop = run.stop});
  findings::Finding finding = findings::flow_finding(input.terms(), from, to, answer);
  ReportWriter writer{run, {.schedules = true, .subject = finding.subject}};
  writer.about(input);
  writer.expect_findings();
  writer.add(std::move(finding));
  writer.add(Summary{.properties = {{"chains_asked_about", count(answer.asked)},
                                    {"chains_refuted", count(answer.refuted.size())},
                                    {"complete", answer.verdict != dpn::Verdict::Unknown}}});
  writer.finish();
  return status_of(writer.findings(), options.common.verdict);
}

}  // namespace

Command flow_command() {
  return make_command<FlowOptions>(
      {.name = "flow",
       .group = CommandGroup::Ask,
       .summary = "can a value get from one statement of a program to another?",
       .description =
           "Looks for a chain of definitions and uses from one labelled statement to another that one execution "
           "exhibits as a whole: a statement that reads one shared variable and writes another passes on what it read. "
           "Chains are tried in the order of their length.",
       .examples = {{"lockwood flow models/table1-4.lw --from source --to sink",
                     "each link is feasible, and still nothing gets through"},
                    {"lockwood flow models/fig1.lw --from answer --to sink", "how 42 gets printed"}},
       .exits = ExitTable::Verdict},
      declare, run);
}

}  // namespace lockwood::frontend
