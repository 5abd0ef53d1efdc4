#include "frontend/cli/commands/java_flow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <set>

#include "base/process/text_file.hpp"
#include "frontend/cli/answering/verdict_status.hpp"
#include "frontend/cli/input/program_input.hpp"
#include "frontend/cli/output/report_writer.hpp"
#include "frontend/findings/analyses/unordered.hpp"
#include "frontend/findings/flow_finding.hpp"
#include "frontend/java/flow/control_dependence.hpp"
#include "frontend/java/flow/flow_ends.hpp"
#include "frontend/java/flow/value_slice.hpp"

namespace lockwood::frontend {
namespace {

// The ends that options and a file name.
java::EndsFile wanted_ends(const FlowCommandOptions& options, const Run& run) {
  java::EndsFile wanted;
  if (options.ends) wanted = java::read_ends_file(read_text_file(*options.ends, run.stop), *options.ends);
  for (const std::string& text : options.from) wanted.ends.push_back({java::ValueRole::Source, text});
  for (const std::string& text : options.to) wanted.ends.push_back({java::ValueRole::Sink, text});
  return wanted;
}

// The program as it is read for the question, and what is asked.
struct FlowModel {
  java::EndsFile wanted;
  std::unique_ptr<java::FlowEnds> ends;
  std::vector<java::EndGroup> groups;
  java::SuspectedFlows suspected;
  std::size_t allowed = 0;                   // by levels
  std::vector<program::Variable> variables;  // whose values may get to sinks
};

ProgramInput read_flow_model(const FlowCommandOptions& options, FlowModel& model, Run& run) {
  model.wanted = wanted_ends(options, run);
  // Comments and annotations count where options do not say otherwise.
  const bool noted = options.from.empty() || options.to.empty();
  JavaWishes wishes;
  wishes.prepare = [&](const java::Universe& universe, java::JavaLoweringOptions& lowering) {
    model.ends = std::make_unique<java::FlowEnds>(universe, model.wanted.ends, noted, lowering.source_path);
    lowering.values = options.control ? java::FollowedValues::Control : java::FollowedValues::Data;
    lowering.ends = model.ends.get();
  };
  wishes.made = [&](java::JavaModel& made) {
    run.progress.show("values");
    if (options.control) java::add_control(made.program, run.stop);
    model.groups = java::end_groups(made.marks);
    model.suspected = java::suspected_flows(made.program, model.groups, run.stop);
    model.allowed = std::erase_if(model.suspected, [&](const auto& flow) {
      const auto level = [&](std::size_t group) { return model.ends->ends()[model.groups[group].row].level; };
      return model.wanted.levels.allows(level(flow.first), level(flow.second));
    });
    model.variables = java::keep_values(made.program, model.groups, model.suspected, options.observational);
  };
  return read_program(options.path, run, wishes);
}

// Where a thread stands when a value of the group is made or used.
program::LoweredLabel label_of(const ProgramInput& input, const FlowModel& model, std::size_t number,
                               const std::string& name) {
  const java::EndGroup& group = model.groups[number];
  program::LoweredLabel label{.name = name,
                              .procedure = program::ProcedureId{0},
                              .point = program::Point{0},
                              .range = group.range,
                              .symbols = {}};
  for (dpn::StackSymbol symbol : input.lowered().symbols.keys()) {
    const program::SymbolOrigin& origin = input.lowered().symbols[symbol];
    const auto mark = input.program().procedures[origin.procedure].points[origin.point].mark;
    if (origin.role != program::SymbolRole::Before || !mark ||
        std::ranges::find(group.marks, *mark) == group.marks.end())
      continue;
    if (label.symbols.empty()) {
      label.procedure = origin.procedure;
      label.point = origin.point;
    }
    label.symbols.push_back(symbol);
  }
  return label;
}

// Groups by names that stay when lines are added elsewhere: "System.getenv", "System.getenv #2".
std::vector<std::string> names_of(const FlowModel& model) {
  std::map<std::pair<std::size_t, java::ValueRole>, std::size_t> met;
  std::vector<std::string> names;
  for (const java::EndGroup& group : model.groups) {
    const std::size_t number = ++met[{group.row, group.role}];
    const std::string& text = model.ends->ends()[group.row].text;
    names.push_back(number == 1 ? text : fmt::format("{} #{}", text, number));
  }
  return names;
}

// Ends that somebody has named and that are nowhere.
void warn_of_missing(const FlowModel& model, const Run& run) {
  std::set<std::size_t> met;
  for (const java::EndGroup& group : model.groups) met.insert(group.row);
  for (std::size_t i = 0; i < model.wanted.ends.size(); ++i)
    if (!met.contains(i))
      run.warn(Diagnostic{.severity = Severity::Warning,
                          .file = model.wanted.ends[i].text,
                          .message = "nothing that runs in the program is this",
                          .excerpt = {},
                          .hint = {}});
}

// What can be done in either order, so that a sink tells something about the order.
std::size_t add_orders(const ProgramInput& input, const FlowModel& model, const std::vector<std::string>& names,
                       ReportWriter& writer, Run& run) {
  const findings::SourceTerms terms = input.terms();
  std::map<std::string, findings::Finding> found;  // by id: places of copies are one
  run.progress.show("orders");
  for (const findings::Conflict& conflict : findings::unordered_conflicts(input.lowered(), model.variables, run.stop)) {
    findings::Finding finding = findings::order_finding(terms, conflict);
    found.emplace(finding.id, std::move(finding));
  }
  std::vector<program::LoweredLabel> sinks;
  std::vector<std::vector<dpn::StackSymbol>> places;
  for (std::size_t i = 0; i < model.groups.size(); ++i) {
    if (model.groups[i].role != java::ValueRole::Sink) continue;
    sinks.push_back(label_of(input, model, i, names[i]));
    places.push_back(sinks.back().symbols);
  }
  for (const auto& [first, second] : findings::unordered_places(input.lowered(), places, run.stop)) {
    findings::Finding finding = findings::order_finding(terms, sinks[first], sinks[second]);
    found.emplace(finding.id, std::move(finding));
  }
  for (auto& [id, finding] : found) writer.add(std::move(finding));
  return found.size();
}

}  // namespace

ExitStatus run_java_flow(const FlowCommandOptions& options, Run& run) {
  FlowModel model;
  const ProgramInput input = read_flow_model(options, model, run);
  warn_of_missing(model, run);
  const std::vector<std::string> names = names_of(model);
  const findings::SourceTerms terms = input.terms();
  findings::Confirmation confirmation;
  // Asks about the chain once more, and has the proof of the answer checked.
  const auto confirm = [&](const findings::ChainQuestion& question, dpn::Verdict verdict) {
    confirmation +=
        Solver{question.instrumented.network, options.solving, run}.confirm(question.problem, "chain", verdict);
  };
  const findings::FlowOptions asked{.max_transfers = options.max_transfers,
                                    .max_chains = options.max_chains,
                                    .stop = run.stop,
                                    .answered = confirm,
                                    .explained = 3};
  findings::FlowSearch search{input.program(), input.lowered(), asked};
  ReportWriter writer{run, {.schedules = true, .subject = {}}};
  writer.about(input);
  writer.expect_findings();
  std::size_t queries = 0;
  std::size_t refuted = 0;
  std::size_t found = 0;
  std::size_t undecided = 0;
  for (std::size_t i = 0; i < model.suspected.size(); ++i) {
    const auto [from, to] = model.suspected[i];
    run.progress.show("flow", i + 1, model.suspected.size());
    const program::LoweredLabel source = label_of(input, model, from, names[from]);
    const program::LoweredLabel sink = label_of(input, model, to, names[to]);
    if (source.symbols.empty() || sink.symbols.empty()) continue;  // nobody gets there
    const findings::FlowAnswer answer = search.find_between(source.symbols, sink.symbols);
    queries += answer.asked;
    refuted += static_cast<std::size_t>(
        std::ranges::count_if(answer.refuted, [](const auto& chain) { return chain.links_feasible; }));
    findings::Finding finding = findings::flow_finding(terms, source, sink, answer);
    if (finding.outcome == findings::Outcome::Found) ++found;
    if (finding.outcome == findings::Outcome::Unknown) ++undecided;
    writer.add(std::move(finding));
  }
  const std::size_t orders = options.observational ? add_orders(input, model, names, writer, run) : 0;
  const findings::LinkCounts links = search.links();
  const auto ends = [&](java::ValueRole role) {
    return count(static_cast<std::size_t>(std::ranges::count(model.groups, role, &java::EndGroup::role)));
  };
  Summary summary{.properties = {{"sources", ends(java::ValueRole::Source)},
                                 {"sinks", ends(java::ValueRole::Sink)},
                                 {"flows_suspected", count(model.suspected.size())},
                                 {"flows", count(found)},
                                 {"orders", count(orders)},
                                 {"allowed_by_levels", count(model.allowed)},
                                 {"links_suspected", count(links.suspected)},
                                 {"links_removed_by_threads", count(links.suspected - links.without_locks)},
                                 {"links_removed_by_locks", count(links.asked_with_locks - links.with_locks)},
                                 {"chains_asked_about", count(queries)},
                                 {"chains_refuted_as_a_whole", count(refuted)},
                                 {"complete", undecided == 0}}};
  std::ranges::move(properties_of(confirmation), std::back_inserter(summary.properties));
  writer.add(std::move(summary));
  writer.finish();
  const bool complete = undecided == 0 && confirmation.complete();
  return combined(status_of(writer.findings(), options.common.verdict),
                  complete || options.common.verdict.exit_zero ? ExitStatus::Nothing : ExitStatus::GaveUp);
}

}  // namespace lockwood::frontend
