#include <fmt/format.h>

#include <utility>

#include "frontend/cli/answering/analysis_run.hpp"
#include "frontend/cli/answering/solving.hpp"
#include "frontend/cli/commands/commands.hpp"
#include "frontend/cli/commands/java_flow.hpp"
#include "frontend/cli/input/java_input.hpp"
#include "frontend/cli/options/settle_option.hpp"
#include "frontend/findings/find_flows.hpp"

namespace lockwood::frontend {
namespace {

using FlowOptions = FlowCommandOptions;

void declare(CLI::App& app, FlowOptions& options) {
  declare_program(app, options.path, options.common.program);
  app.add_option("--from", options.from,
                 "label of a statement that writes shared variables, or sets locals that are written; of a Java "
                 "program: a field, pkg.C.m (its result), pkg.C.m(1), File.java:12, or the key of a comment")
      ->type_name("SOURCE")
      ->expected(1)
      ->take_all()
      ->group(section::input);
  app.add_option("--to", options.to,
                 "label of a statement that reads shared variables, or uses locals that got their values; of a Java "
                 "program: a field, pkg.C.m(*) (its arguments), File.java:12, or the key of a comment")
      ->type_name("SINK")
      ->expected(1)
      ->take_all()
      ->group(section::input);
  app.add_option("--ends", options.ends, "sources, sinks and levels of a Java program, as JSON")
      ->type_name("FILE")
      ->group(section::input);
  app.add_flag("--control", options.control,
               "of a Java program: values also flow where they decide what is done, by branches and exceptions")
      ->group(section::analysis);
  app.add_flag("--observational", options.observational,
               "of a Java program: also accesses and outputs that can be done in either order, if a sink tells which")
      ->group(section::analysis);
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
  declare_finding_choice(app, options.common.output);
  declare_finding_files(app, options.common.output);
  declare_json_lines(app, options.common.output);
  declare_finding_verdict(app, options.common.verdict);
  declare_general(app, options.common.general);
}

// Shows the lines that the errors are about.
[[noreturn]] void refuse(const ProgramInput& input, const InputError& error) {
  std::vector<Diagnostic> shown;
  for (const Diagnostic& each : error.diagnostics()) shown.push_back(lw::with_excerpt(input.model.source, each));
  throw InputError{std::move(shown)};
}

const std::string& only_label(const std::vector<std::string>& labels, const char* option) {
  if (labels.size() != 1) throw InputError{option, "of a program that is text, one label is needed"};
  return labels.front();
}

ExitStatus run(const FlowOptions& options, Run& run) {
  if (options.path != "-" && is_java_input(options.path)) return run_java_flow(options, run);
  const std::string& from_name = only_label(options.from, "--from");
  const std::string& to_name = only_label(options.to, "--to");
  if (options.ends || options.control || options.observational)
    throw InputError{options.path, "--ends, --control and --observational are for Java programs"};
  const ProgramInput input = read_program(options.path, run);
  const findings::SourceTerms terms = input.terms();
  const findings::FlowEnds ends{label_named(input, from_name), label_named(input, to_name)};
  findings::Findings found;
  try {
    found = findings::find_flows(terms, ends,
                                 {.max_transfers = options.max_transfers,
                                  .max_chains = options.max_chains,
                                  .settling = options.settling,
                                  .confirm = confirm_by(options.solving, run),
                                  .watch = watch_of(run)});
  } catch (const InputError& error) {
    refuse(input, error);
  }
  findings::Finding& flow = found.findings.front();
  const bool decided = flow.outcome != findings::Outcome::Unknown;
  ReportWriter writer{run, {.schedules = true, .subject = flow.subject}};
  writer.about(input);
  writer.expect_findings();
  writer.add(std::move(flow));
  writer.add(summary_from(found, {{"complete", decided}}));
  writer.finish();
  return status_of(found, writer, options.common.verdict);
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
           "their length. What is done only because of a value does not count, but with --control. Of a Java program: "
           "from values that are "
           "sources to arguments and fields that are sinks, as options, comments, annotations or a file say.",
       .examples = {{"lockwood flow models/table1-4.lw --from source --to sink",
                     "each link is feasible, and still nothing gets through"},
                    {"lockwood flow models/fig1.lw --from answer --to sink", "how 42 gets printed"},
                    {"lockwood flow app.jar --from java.lang.System.getenv --to 'java.io.PrintStream.println(*)'",
                     "does the program print its environment?"}},
       .exits = ExitTable::Verdict},
      declare, run);
}

}  // namespace lockwood::frontend
