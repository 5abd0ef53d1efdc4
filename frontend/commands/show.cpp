#include <optional>
#include <sstream>

#include "base/text_file.hpp"
#include "dpn/dot.hpp"
#include "dpn/statistics.hpp"
#include "dpn/text_format.hpp"
#include "dpn/tree_alphabet.hpp"
#include "frontend/commands/commands.hpp"
#include "frontend/model_input.hpp"
#include "frontend/report_writer.hpp"

namespace lockwood::frontend {
namespace {

struct ShowOptions {
  CommonOptions common;
  std::string path;
  std::optional<std::string> dot;  // "-" is the place of the report, instead of it
  bool alphabet = false;
};

void declare(CLI::App& app, ShowOptions& options) {
  declare_model(app, options.path, options.common.program);
  declare_limits(app, options.common.limits);
  auto* dot = app.add_option("--dot", options.dot, "write the control flow as a picture for Graphviz, by procedure")
                  ->type_name("[FILE]")
                  ->group(section::output);
  app.add_flag("--alphabet", options.alphabet,
               "list the symbols of the model's execution trees instead, for automata that observe them")
      ->group(section::output)
      ->excludes(dot);
  declare_report(app, options.common.output);
  dot->excludes(app.get_option("--json"));
  declare_general(app, options.common.general);
}

PropertyList model_section(const dpn::ModelFile& file, const dpn::Statistics& numbers) {
  const auto rules = [&](dpn::RuleKind kind) { return count(numbers.rules_by_kind[static_cast<std::size_t>(kind)]); };
  PropertyList list{.key = "statistics",
                    .title = "Model",
                    .properties = {{"rules", count(file.network.rules().size())},
                                   {"base_rules", rules(dpn::RuleKind::Base)},
                                   {"call_rules", rules(dpn::RuleKind::Call)},
                                   {"return_rules", rules(dpn::RuleKind::Return)},
                                   {"spawn_rules", rules(dpn::RuleKind::Spawn)},
                                   {"monitor_rules", rules(dpn::RuleKind::Monitor)},
                                   {"control_states", count(numbers.controls)},
                                   {"stack_symbols", count(numbers.stacks)},
                                   {"actions", count(numbers.actions)},
                                   {"locks", count(numbers.locks)},
                                   {"locks_used", count(numbers.locks_used.size())},
                                   {"procedures", count(numbers.procedures.table.size())},
                                   {"recursive_procedures", count(numbers.recursive_procedures)},
                                   {"unbounded_threads", !numbers.repeated_spawns.empty()},
                                   {"repeated_spawn_rules", count(numbers.repeated_spawns.size())}}};
  const Value nesting = numbers.monitor_nesting ? count(*numbers.monitor_nesting) : Value{std::string{"unbounded"}};
  list.properties.push_back({"deepest_monitor_nesting", nesting});
  list.properties.push_back({"rule_heads", count(numbers.heads)});
  list.properties.push_back({"reachable_rule_heads", count(numbers.reachable_heads)});
  list.properties.push_back({"reachable_is_exact", numbers.precision == dpn::HeadPrecision::Exact});
  list.properties.push_back({"unreachable_rules", count(numbers.unreachable_rules.size())});
  list.properties.push_back({"queries", count(file.queries.size())});
  return list;
}

Table procedure_section(const dpn::Network& network, const dpn::Procedures& procedures) {
  Table table{.key = "procedures",
              .title = "Procedures",
              .columns = {"entry", "symbols", "called", "spawned", "recursive", "calls", "spawns"},
              .rows = {}};
  const auto names = [&](const std::vector<dpn::ProcedureId>& ids) {
    std::vector<std::string> entries;
    for (dpn::ProcedureId id : ids) entries.emplace_back(network.stacks().name(procedures.table[id].entry));
    return entries;
  };
  for (const dpn::Procedure& procedure : procedures.table)
    table.rows.push_back({std::string{network.stacks().name(procedure.entry)}, count(procedure.symbols.size()),
                          procedure.called, procedure.spawned, procedure.recursive, names(procedure.calls),
                          names(procedure.spawns)});
  return table;
}

Table rule_section(std::string key, std::string title, const dpn::Network& network,
                   const std::vector<dpn::RuleId>& rules) {
  Table table{.key = std::move(key), .title = std::move(title), .columns = {"rule"}, .rows = {}};
  for (dpn::RuleId id : rules) table.rows.push_back({dpn::to_text(network, network.rule(id))});
  return table;
}

Table alphabet_section(const dpn::Network& network) {
  const dpn::TreeAlphabet alphabet{network};
  Table table{
      .key = "alphabet", .title = "Symbols of execution trees", .columns = {"symbol", "rank", "meaning"}, .rows = {}};
  for (treeauto::Symbol symbol : alphabet.symbols().symbols())
    table.rows.push_back({std::string{alphabet.symbols().name(symbol)}, count(alphabet.symbols().rank(symbol)),
                          dpn::describe(alphabet, symbol)});
  return table;
}

ExitStatus run(const ShowOptions& options, Run& run) {
  const ModelInput model = read_model(options.path, run);
  const dpn::Network& network = model.file.network;
  run.progress.show("measuring");
  if (options.dot) {
    std::ostringstream picture;
    dpn::write_dot(picture, network, dpn::procedures(network));
    const bool in_place = *options.dot == "-";
    write_text_file(in_place ? options.common.output.path : *options.dot, picture.str());
    if (in_place) return ExitStatus::Nothing;
  }
  ReportWriter writer{run};
  writer.about(model);
  if (options.alphabet) {
    writer.add(alphabet_section(network));
    writer.finish();
    return ExitStatus::Nothing;
  }
  const dpn::Statistics numbers = dpn::statistics(network, run.stop);
  writer.add(model_section(model.file, numbers));
  writer.add(procedure_section(network, numbers.procedures));
  if (!numbers.repeated_spawns.empty())
    writer.add(rule_section("repeated_spawns", "Spawns that can happen any number of times", network,
                            numbers.repeated_spawns));
  if (!numbers.unreachable_rules.empty())
    writer.add(rule_section("unreachable_rules", "Rules that no run uses", network, numbers.unreachable_rules));
  writer.finish();
  return ExitStatus::Nothing;
}

}  // namespace

Command show_command() {
  return make_command<ShowOptions>(
      {.name = "show",
       .group = CommandGroup::Look,
       .summary = "what is in a model: rules, procedures, locks, recursion, a picture",
       .description =
           "Counts what is in a model and tells its procedures, where it recurses and where it can start any "
           "number of threads. Whatever is said about runs ignores locks.",
       .examples = {{"lockwood show models/fig1.dpn", "the model in numbers"},
                    {"lockwood show --dot models/fig1.dpn | dot -Tsvg > fig1.svg", "its control flow as a picture"}}},
      declare, run);
}

}  // namespace lockwood::frontend
