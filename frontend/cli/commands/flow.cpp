#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "frontend/cli/answering/solving.hpp"
#include "frontend/cli/answering/verdict_status.hpp"
#include "frontend/cli/commands/commands.hpp"
#include "frontend/cli/input/program_input.hpp"
#include "frontend/cli/options/settle_option.hpp"
#include "frontend/cli/output/report_writer.hpp"
#include "frontend/findings/analyses/flow_ends.hpp"
#include "frontend/findings/flow_finding.hpp"

namespace lockwood::frontend {
namespace {

struct FlowOptions {
  CommonOptions common;
  SolvingOptions solving;
  std::string path;
  std::string from;
  std::string to;
  std::size_t max_transfers = findings::FlowOptions{}.max_transfers;
  std::size_t max_chains = findings::FlowOptions{}.max_chains;
  findings::SettlingBudget settling;
};

void declare(CLI::App& app, FlowOptions& options) {
  declare_program(app, options.path, options.common.program);
  app.add_option("--from", options.from,
                 "label of a statement that writes shared variables, or sets locals that are written")
      ->type_name("LABEL")
      ->required()
      ->group(section::input);
  app.add_option("--to", options.to,
                 "label of a statement that reads shared variables, or uses locals that got their values")
      ->type_name("LABEL")
      ->required()
      ->group(section::input);
  add_number(app, "--max-transfers", options.max_transfers,
             fmt::format("statements in between that a chain may have (default {})", options.max_transfers))
      ->group(section::limits);
  add_number(app, "--max-chains", options.max_chains,
             fmt::format("chains to ask about (default {})", options.max_chains))
      ->group(section::limits);
  declare_verify(app, options.solving.verify);
  declare_baseline(app, options.common.output);
  declare_limits(app, options.common.limits);
  declare_settling(app, options.settling);
  declare_report(app, options.common.output);
  declare_finding_files(app, options.common.output);
  declare_json_lines(app, options.common.output);
  declare_finding_verdict(app, options.common.verdict);
  declare_general(app, options.common.general);
}

[[noreturn]] void refuse(const ProgramInput& input, const program::LoweredLabel& label, const char* what,
                         std::string hint) {
  throw InputError{{lw::with_excerpt(
      input.model.source, Diagnostic{.file = input.path(),
                                     .at = label.range.begin,
                                     .message = fmt::format("the statement labelled '{}' {}", label.name, what),
                                     .excerpt = {},
                                     .hint = std::move(hint)})}};
}

ExitStatus run(const FlowOptions& options, Run& run) {
  const ProgramInput input = read_program(options.path, run);
  const program::LoweredLabel& from = label_named(input, options.from);
  const program::LoweredLabel& to = label_named(input, options.to);
  const auto sources = findings::flow_sources(input.program(), input.lowered(), from);
  if (!sources)
    refuse(input, from, "writes no variable",
           "the label must stand at the statement that writes, not at a call of its procedure");
  const auto sinks = findings::flow_sinks(input.program(), input.lowered(), to);
  if (!sinks)
    refuse(input, to, "reads no variable",
           "the label must stand at the statement that reads, not at a call of its procedure");
  Confirmation confirmation;
  // Asks about the chain once more, and has the proof of the answer checked.
  const auto confirm = [&](const findings::ChainQuestion& question, dpn::Verdict verdict) {
    confirmation +=
        Solver{question.instrumented.network, options.solving, run}.confirm(question.problem, "chain", verdict);
  };
  run.progress.show("chains");
  const findings::FlowAnswer answer = findings::find_flow(input.program(), input.lowered(), *sources, *sinks,
                                                          {.max_transfers = options.max_transfers,
                                                           .max_chains = options.max_chains,
                                                           .stop = run.stop,
                                                           .answered = confirm});
  const findings::SourceTerms terms = input.terms();
  findings::Finding finding = findings::flow_finding(terms, from, to, answer);
  run.progress.show("settling");
  findings::Settling{terms, options.settling, run.stop}.settle_flow(finding, from, to);
  ReportWriter writer{run, {.schedules = true, .subject = finding.subject}};
  writer.about(input);
  writer.expect_findings();
  writer.add(std::move(finding));
  Summary summary{.properties = {{"chains_asked_about", count(answer.asked)},
                                 {"chains_refuted", count(answer.refuted.size())},
                                 {"complete", answer.verdict != dpn::Verdict::Unknown}}};
  std::ranges::move(properties_of(confirmation), std::back_inserter(summary.properties));
  writer.add(std::move(summary));
  writer.finish();
  return combined(
      status_of(writer.findings(), options.common.verdict),
      confirmation.complete() || options.common.verdict.exit_zero ? ExitStatus::Nothing : ExitStatus::GaveUp);
}

}  // namespace

Command flow_command() {
  return make_command<FlowOptions>(
      {.name = "flow",
       .group = CommandGroup::Ask,
       .summary = "can a value get from one statement of a program to another?",
       .description =
           "Looks for a chain of definitions and uses from one labelled statement to another that one execution "
           "exhibits as a whole: a statement that reads one shared variable and writes another passes on what it read, "
           "and "
           "a thread that keeps it in locals, or passes it to calls, may do so later. Chains are tried in the order of "
           "their length. What is done only because of a value does not count.",
       .examples = {{"lockwood flow models/table1-4.lw --from source --to sink",
                     "each link is feasible, and still nothing gets through"},
                    {"lockwood flow models/fig1.lw --from answer --to sink", "how 42 gets printed"}},
       .exits = ExitTable::Verdict},
      declare, run);
}

}  // namespace lockwood::frontend
