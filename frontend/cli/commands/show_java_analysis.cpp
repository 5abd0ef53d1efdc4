#include "frontend/cli/commands/show_java_analysis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/process/text_file.hpp"
#include "frontend/cli/input/java_input.hpp"
#include "frontend/java/facts/program_text.hpp"
#include "frontend/java/method_pattern.hpp"
#include "frontend/report/report.hpp"
#include "jvm/classfile/descriptor.hpp"

namespace lockwood::frontend {
namespace {

PropertyList analysis_section(const java::PointsTo& flow) {
  const auto& statistics = flow.statistics();
  std::size_t methods = 0;
  std::vector<bool> seen(flow.universe().procedures().size());
  for (const java::ProcedureCopy& copy : flow.copies()) {
    if (seen[copy.procedure.index()]) continue;
    seen[copy.procedure.index()] = true;
    if (flow.universe().procedure(copy.procedure).code) ++methods;
  }
  return {.key = "analysis",
          .title = "Analysis",
          .properties = {{"methods_reached", count(methods)},
                         {"copies_with_contexts", count(flow.copies().size())},
                         {"methods_without_contexts", count(statistics.insensitive)},
                         {"initialisers", count(flow.initialisers().size())},
                         {"gaps", count(flow.gaps().size())}}};
}

void add_call_graph(const java::PointsTo& flow, ReportWriter& writer) {
  Table table{.key = "calls", .title = "Calls", .columns = {"caller", "at", "callee", "kind"}, .rows = {}};
  for (const java::CallRow& row : java::call_rows(flow))
    if (!row.in_library) table.rows.push_back({row.caller, row.at, row.callee, row.kind});
  writer.add(std::move(table));
  Table assumptions{.key = "assumptions", .title = "Assumptions", .columns = {"kind", "text", "calls"}, .rows = {}};
  for (const java::AssumptionRow& row : java::assumption_rows(flow))
    assumptions.rows.push_back({row.kind, row.text, count(row.calls)});
  if (!assumptions.rows.empty()) writer.add(std::move(assumptions));
}

void add_gaps(const java::PointsTo& flow, ReportWriter& writer) {
  constexpr std::array<std::string_view, 5> kinds = {"reflection", "method handle", "native", "unreadable", "library"};
  Table table{.key = "gaps", .title = "Gaps", .columns = {"kind", "place", "text"}, .rows = {}};
  for (const java::Gap& gap : flow.gaps())
    table.rows.push_back({std::string{kinds[static_cast<std::size_t>(gap.kind)]}, gap.place, gap.text});
  if (!table.rows.empty()) writer.add(std::move(table));
}

// The lines about each method that the user has named; a method that nothing calls has none.
template <class Lines>
Listing listing_of(java::JavaProgram& program, const java::PointsTo& flow, const std::string& pattern, std::string key,
                   std::string title, const Lines& lines_of) {
  const java::NamedMethods named = java::named_methods(program, pattern);
  Listing listing{.key = std::move(key), .title = std::move(title), .lines = {}};
  for (const jvm::Member* method : named.methods) {
    const auto reached = java::reached_procedures(flow, named.file->name, method->name, method->descriptor);
    if (reached.empty())
      listing.lines.push_back(fmt::format("{}.{}{} is never called", jvm::java_class_name(named.file->name),
                                          method->name, jvm::java_parameters(method->descriptor)));
    for (java::ProcedureId id : reached) std::ranges::copy(lines_of(id), std::back_inserter(listing.lines));
  }
  return listing;
}

PropertyList throw_section(const java::Facts& facts) {
  const auto total = facts.implicit.total();
  PropertyList list{.key = "implicit_throws",
                    .title = "Exceptions of the machine in the code of the application",
                    .properties = {{"all", count(total.all)}, {"excluded", count(total.excluded)}}};
  constexpr std::array<std::string_view, java::implicit_throw_count> names = {
      "null", "bounds", "array_store", "cast", "division", "negative_size", "monitor"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto& kind = facts.implicit.counts[i];
    if (kind.all > 0)
      list.properties.push_back({std::string{names[i]}, fmt::format("{} of {} excluded", kind.excluded, kind.all)});
  }
  return list;
}

}  // namespace

void declare_show_analysis(CLI::App& app, ShowJavaOptions& options) {
  app.add_flag("--call-graph", options.call_graph, "list who calls whom in a Java program; with --dot, as a picture")
      ->group(section::output);
  app.add_option("--points-to", options.points_to,
                 "show which objects the references in a method of a Java program may be to")
      ->type_name("METHOD")
      ->group(section::output);
  app.add_option("--facts", options.facts,
                 "show what is known about a method of a Java program: unique locks, owned objects, what it throws")
      ->type_name("METHOD")
      ->group(section::output);
}

void show_analysis(JavaInput& input, const ShowJavaOptions& options, const std::optional<std::string>& dot,
                   ReportWriter& writer, const Run& run) {
  java::JavaProgram& program = input.program;
  const java::library::Library models = models_for(input, run);
  run.progress.show("finding objects and calls of " + program.path);
  const java::PointsTo flow = java::points_to(program, models, analysis_of(input, run), run.stop);
  for (const Diagnostic& warning : flow.universe().hierarchy().diagnostics()) run.warn(warning);
  if (dot && *dot == "-") {
    writer.write_instead(java::call_graph_dot(flow));
    return;
  }
  if (dot) write_text_file(*dot, java::call_graph_dot(flow));
  writer.add(analysis_section(flow));
  if (options.call_graph) add_call_graph(flow, writer);
  add_gaps(flow, writer);
  if (options.points_to)
    writer.add(listing_of(program, flow, *options.points_to, "points_to", "Objects",
                          [&](java::ProcedureId id) { return java::points_to_lines(flow, id); }));
  if (!options.facts) return;
  run.progress.show("finding facts about " + program.path);
  const java::Facts facts{flow, run.stop};
  writer.add(throw_section(facts));
  writer.add(listing_of(program, flow, *options.facts, "facts", "Facts",
                        [&](java::ProcedureId id) { return java::fact_lines(facts, id); }));
}

}  // namespace lockwood::frontend
