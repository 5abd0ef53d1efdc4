#include <fmt/format.h>

#include <functional>
#include <optional>
#include <sstream>
#include <vector>

#include "base/process/text_file.hpp"
#include "dpn/formats/dot.hpp"
#include "dpn/formats/text_format.hpp"
#include "dpn/formats/tree_text.hpp"
#include "dpn/model/only_locks.hpp"
#include "dpn/model/statistics.hpp"
#include "frontend/cli/commands/commands.hpp"
#include "frontend/cli/commands/show_java.hpp"
#include "frontend/cli/input/java_input.hpp"
#include "frontend/cli/input/model_input.hpp"
#include "frontend/cli/output/report_writer.hpp"
#include "frontend/findings/narrative/lock_order_picture.hpp"
#include "frontend/report/dot/svg_picture.hpp"
#include "solver/analyses/solve.hpp"
#include "solver/query/tree_alphabet.hpp"

namespace lockwood::frontend {
namespace {

struct ShowOptions {
  CommonOptions common;
  std::string path;
  std::optional<std::string> dot;  // "-" is the place of the report, instead of it
  std::optional<std::string> svg;  // the same
  std::optional<std::string> tree;
  bool nolocks = false;
  bool lock_order = false;
  bool alphabet = false;
  ShowJavaOptions java;
};

void declare(CLI::App& app, ShowOptions& options) {
  declare_model(app, options.path, options.common.program);
  auto* nolocks = app.add_flag("--nolocks", options.nolocks, "take monitors for calls, as if there were no locks")
                      ->group(section::reductions);
  declare_limits(app, options.common.limits);
  auto* dot = app.add_option("--dot", options.dot, "write the control flow as a picture for Graphviz, by procedure")
                  ->type_name("[FILE]")
                  ->group(section::output);
  auto* svg =
      app.add_option("--svg", options.svg, "the same, drawn by Graphviz")->type_name("[FILE]")->group(section::output);
  auto* tree = app.add_option("--tree", options.tree,
                              "let the picture be of an execution that answers this query, such as 'reach {n1}'")
                   ->type_name("QUERY")
                   ->group(section::output);
  app.add_flag("--lock-order", options.lock_order,
               "let the picture be of the locks that are taken while holding others")
      ->group(section::output)
      ->excludes(tree)
      ->excludes(nolocks);
  app.add_flag("--alphabet", options.alphabet,
               "list the symbols of the model's execution trees instead, for automata that observe them")
      ->group(section::output)
      ->excludes(dot)
      ->excludes(svg);
  declare_show_java(app, options.java);
  declare_report(app, options.common.output);
  declare_general(app, options.common.general);
}

// Options are of models or of Java programs, and the input decides.
void check_input(const ShowOptions& options, bool is_java) {
  const bool of_models = (options.dot && !options.java.call_graph) || options.svg || options.tree || options.nolocks ||
                         options.lock_order || options.alphabet;
  if (is_java && of_models)
    throw InputError{options.path,
                     "this is a Java program; --dot, --svg, --tree, --nolocks, --lock-order and --alphabet are about "
                     "models: 'lockwood lower' makes one of the program, and --call-graph --dot draws its calls"};
  if (!is_java && (options.java.any() || options.common.program.java.any()))
    throw InputError{options.path,
                     "this is not a Java program; --class-path, --jdk, --ir, --monitors, --main, --call-graph, "
                     "--points-to, --facts, --models, --jdk-bodies and --library-code are about these"};
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
  if (numbers.groups == 0) return list;
  list.properties.push_back({"groups", count(numbers.groups)});
  list.properties.push_back({"join_rules", rules(dpn::RuleKind::Join)});
  list.properties.push_back({"forget_rules", rules(dpn::RuleKind::Forget)});
  return list;
}

Table procedure_section(const dpn::Network& network, const dpn::Procedures& procedures) {
  Table table{.key = "procedures",
              .title = "Procedures",
              .columns = {"entry", "symbols", "called", "spawned", "recursive", "calls", "spawns"},
              .rows = {}};
  const auto names = [&](const std::vector<dpn::ProcedureId>& ids) {
    std::vector<std::string> entries;
    for (dpn::ProcedureId id : ids) entries.emplace_back(network.stack_symbols().name(procedures.table[id].entry));
    return entries;
  };
  for (const dpn::Procedure& procedure : procedures.table)
    table.rows.push_back({std::string{network.stack_symbols().name(procedure.entry)}, count(procedure.symbols.size()),
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

Table alphabet_section(const dpn::Network& network, StopToken stop) {
  const dpn::TreeAlphabet alphabet{network};
  Table table{
      .key = "alphabet", .title = "Symbols of execution trees", .columns = {"symbol", "rank", "meaning"}, .rows = {}};
  for (treeauto::Symbol symbol : alphabet.symbols().symbols()) {
    stop.check();
    table.rows.push_back({std::string{alphabet.symbols().name(symbol)}, count(alphabet.symbols().rank(symbol)),
                          dpn::describe(alphabet, symbol)});
  }
  return table;
}

// The execution tree that answers the query, as a graph.
std::string tree_dot(const ModelInput& model, const std::string& text, const Run& run) {
  const dpn::Network& network = model.file.network;
  const auto queries = dpn::parse_queries(network, with_symbols(model, text), "--tree");
  if (queries.size() != 1) throw InputError{"--tree", "this is more than one query"};
  const solver::Answer answer = solver::solve(network, solver::problem_of(queries.front()), {.stop = run.stop});
  run.stop.check();
  if (!answer.witness) throw InputError{"--tree", "this is unreachable: there is no execution to draw"};
  return dpn::to_dot(network, answer.witness->tree, dpn::to_text(network, queries.front()));
}

std::string picture_of(const ModelInput& model, const ShowOptions& options, const Run& run) {
  if (options.tree) return tree_dot(model, *options.tree, run);
  if (options.lock_order) return lock_order_dot(model.file.network, run.stop);
  std::ostringstream picture;
  std::function<std::string(dpn::StackSymbol)> title;
  if (model.program)
    title = [&program = *model.program](dpn::StackSymbol entry) {
      return program::procedure_title(program.source.program, program.lowered.symbols[entry]);
    };
  dpn::write_dot(picture, model.file.network, dpn::procedures(model.file.network), run.stop, title);
  return picture.str();
}

// The place of the report is for one of them.
void check_places(const ShowOptions& options) {
  std::vector<const char*> in_place;
  if (options.dot == "-") in_place.push_back("--dot");
  if (options.svg == "-") in_place.push_back("--svg");
  if (options.common.output.json == "-") in_place.push_back("--json");
  if (in_place.size() > 1)
    throw InputError{"lockwood",
                     fmt::format("{0} and {1} want the same place; write {1}=FILE", in_place[0], in_place[1])};
}

ExitStatus run(const ShowOptions& options, Run& run) {
  const bool is_java = is_java_input(options.path);
  check_input(options, is_java);
  check_places(options);
  if (is_java) return show_java(options.path, options.java, options.dot, run);
  if ((options.tree || options.lock_order) && !options.dot && !options.svg)
    throw InputError{"lockwood", "--tree and --lock-order say what to draw; add --svg or --dot"};
  ModelInput model = read_model(options.path, run);
  if (options.nolocks) model.file.network = dpn::without_locks(model.file.network);
  const dpn::Network& network = model.file.network;
  run.progress.show("measuring");
  ReportWriter writer{run};
  writer.about(model);
  if (options.dot || options.svg) {
    const std::string graph = picture_of(model, options, run);
    const auto write = [&](const std::string& path, const std::string& picture) {
      path == "-" ? writer.write_instead(picture) : write_text_file(path, picture);
    };
    if (options.dot) write(*options.dot, graph);
    if (options.svg) write(*options.svg, to_svg(graph, run.stop));
    const bool in_place = options.dot == "-" || options.svg == "-";
    if (in_place && !options.common.output.json) {
      writer.finish();
      return ExitStatus::Nothing;
    }
  }
  if (options.alphabet) {
    writer.add(alphabet_section(network, run.stop));
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
       .summary = "what is in a model or a Java program: rules, procedures, locks, threads, a picture",
       .description =
           "Counts what is in a model and tells its procedures, where it recurses and where it can start any "
           "number of threads. Whatever is said about runs ignores locks; what is said about loops, recursion, nesting "
           "and the number of threads ignores control states, too. Pictures, JSON and text are written at once if each "
           "has its place. Of a Java program, a folder of classes or a jar, it tells classes, methods, main classes, "
           "threads started, monitors, and which classes are missing.",
       .examples = {{"lockwood show models/fig1.dpn", "the model in numbers"},
                    {"lockwood show models/fig1.dpn --svg=fig1.svg", "its control flow as a picture"},
                    {"lockwood show models/fig1.dpn --tree 'conflict {p2} and {s1}' --svg=tree.svg",
                     "an execution as a picture"},
                    {"lockwood show app.jar -cp 'lib/*'", "a Java program in numbers"},
                    {"lockwood show app.jar --ir=pkg.Main.run", "the code of a method"},
                    {"lockwood show app.jar --facts=pkg.Main.run",
                     "which locks are unique, what can throw, and so on"}}},
      declare, run);
}

}  // namespace lockwood::frontend
