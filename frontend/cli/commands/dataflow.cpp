#include "solver/analyses/dataflow.hpp"
#include "base/text/json.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/process/text_file.hpp"
#include "base/text/json_text.hpp"
#include "base/text/suggestion.hpp"
#include "frontend/cli/answering/solving.hpp"
#include "frontend/cli/commands/commands.hpp"
#include "frontend/cli/input/model_input.hpp"
#include "frontend/cli/output/report_writer.hpp"
#include "solver/analyses/flows_on_demand.hpp"

namespace lockwood::frontend {
namespace {

struct DataflowOptions {
  CommonOptions common;
  SolvingOptions solving;
  std::string path;
  std::optional<std::string> facts;
  std::vector<std::string> generating;
  std::vector<std::string> killing;
  bool definitions = false;
};

void declare(CLI::App& app, DataflowOptions& options) {
  declare_model(app, options.path, options.common.program);
  auto* file = app.add_option("--facts", options.facts,
                              R"(the facts: {"facts": [{"name": "f", "generating": ["a"], "killing": ["b"]}]})")
                   ->type_name("FILE")
                   ->group(section::input);
  auto* generating =
      app.add_option("--generate", options.generating, "one fact, made true by this action; can be repeated")
          ->group(section::input);
  app.add_option("--kill", options.killing, "and made false by this one; can be repeated")
      ->needs(generating)
      ->group(section::input);
  app.add_flag("--definitions", options.definitions,
               "reaching definitions: each action def(v) or def(v,…) defines the variable v (the default)")
      ->excludes(file)
      ->excludes(generating)
      ->group(section::input);
  file->excludes(generating);
  declare_nolocks(app, options.solving);
  declare_proofs(app, options.solving);
  declare_limits(app, options.common.limits);
  declare_report(app, options.common.output);
  declare_statistics(app, options.common.output);
  declare_general(app, options.common.general);
}

dpn::Action action_named(const dpn::Network& network, const std::string& name, const std::string& where) {
  if (const auto action = network.actions().find(name)) return *action;
  Suggestion suggestion{name};
  for (dpn::Action action : network.actions().keys()) suggestion.consider(network.actions().name(action));
  throw InputError{{Diagnostic{.file = where, .message = "unknown action '" + name + "'", .hint = suggestion.hint()}}};
}

std::vector<dpn::Action> actions_named(const dpn::Network& network, const std::vector<std::string>& names,
                                       const std::string& where) {
  std::vector<dpn::Action> actions;
  for (const std::string& name : names) actions.push_back(action_named(network, name, where));
  return actions;
}

// What is not understood could change the meaning of the rest.
void refuse_other_members(const nlohmann::json& object, const std::vector<std::string>& members,
                          const std::string& path) {
  for (const auto& [name, value] : object.items())
    if (std::ranges::find(members, name) == members.end())
      throw InputError{path, fmt::format("unknown member '{}'; expected {}", name, fmt::join(members, ", "))};
}

std::vector<solver::FlowFact> read_facts(const dpn::Network& network, const std::string& path, StopToken stop) {
  const auto document = parse_json_text(read_text_file(path, stop), path, {.stop = stop});
  std::vector<solver::FlowFact> facts;
  try {
    refuse_other_members(document, {"facts"}, path);
    for (const auto& fact : document.at("facts")) {
      refuse_other_members(fact, {"name", "generating", "killing"}, path);
      facts.push_back({.name = fact.at("name"),
                       .generating = actions_named(network, fact.at("generating"), path),
                       .killing = actions_named(network, fact.value("killing", std::vector<std::string>{}), path)});
      const auto same_name = [&](const solver::FlowFact& other) { return other.name == facts.back().name; };
      if (std::ranges::count_if(facts, same_name) > 1)
        throw InputError{path, fmt::format("two facts are named '{}'", facts.back().name)};
    }
  } catch (const nlohmann::json::exception& error) {
    throw InputError{path, R"(expected {"facts": [{"name": "…", "generating": ["…"], "killing": ["…"]}]})"};
  }
  return facts;
}

// Of a variable that stands for several places, no definition overwrites another.
void spare_summaries(const program::Lowered& lowered, std::vector<solver::FlowFact>& definitions) {
  std::set<dpn::Action> weak;
  for (const program::Access& access : lowered.accesses)
    if (!access.one_place) weak.insert(access.action);
  for (solver::FlowFact& fact : definitions)
    if (weak.contains(fact.generating.front())) fact.killing.clear();
}

std::vector<solver::FlowFact> facts_of(const ModelInput& model, const DataflowOptions& options, StopToken stop) {
  const dpn::Network& network = model.file.network;
  if (options.facts) return read_facts(network, *options.facts, stop);
  if (!options.generating.empty())
    return {{.name = fmt::format("{}", fmt::join(options.generating, ",")),
             .generating = actions_named(network, options.generating, "--generate"),
             .killing = actions_named(network, options.killing, "--kill")}};
  std::vector<solver::FlowFact> definitions = solver::reaching_definitions(network);
  if (model.program) spare_summaries(model.program->lowered, definitions);
  return definitions;
}

ExitStatus run(const DataflowOptions& options, Run& run) {
  const ModelInput model = read_model(options.path, run);
  const dpn::Network& network = model.file.network;
  const std::vector<solver::FlowFact> facts = facts_of(model, options, run.stop);
  if (facts.empty())
    run.note(options.facts ? *options.facts + " has no facts"
                           : "no action is named def(v) or def(v,…); see --facts and --generate");
  const auto semantics = options.solving.nolocks ? dpn::Semantics::LockInsensitive : dpn::Semantics::LockSensitive;

  Solver solver{network, options.solving, run};
  Confirmation confirmation;
  std::vector<std::optional<solver::FlowAnswer>> answers(facts.size());
  std::size_t answered = 0;
  std::optional<StopReason> stopped;
  solver::FlowsOnDemand flows{network, facts, semantics, {.stop = run.stop}};
  for (std::size_t number = 0; number < flows.groups().size() && !stopped; ++number) {
    const std::vector<std::size_t>& group = flows.groups()[number];
    run.progress.show("fact", answered + 1, facts.size());
    auto of_group = flows.answers_of(number);
    for (std::size_t i = 0; i < group.size(); ++i) {
      stopped = of_group[i].stopped;
      confirmation +=
          solver.confirm([&] { return solver::claims_of(network, facts[group[i]], semantics, of_group[i]); });
      answers[group[i]] = std::move(of_group[i]);
    }
    answered += group.size();
  }
  Table table{.key = "facts", .title = "Where each fact holds", .columns = {"fact", "reaches", "complete"}, .rows = {}};
  std::size_t in_part = 0;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (!answers[i]) continue;
    std::vector<std::string> points;
    for (dpn::StackSymbol point : answers[i]->points) points.emplace_back(network.stack_symbols().name(point));
    table.rows.push_back({facts[i].name, points, !answers[i]->stopped});
    if (answers[i]->stopped) ++in_part;
  }
  ReportWriter writer{run};
  writer.about(model);
  writer.add(std::move(table));
  if (confirmation.claims != 0) writer.add(Summary{.properties = properties_of(confirmation)});
  writer.finish();
  if (stopped)
    run.note(fmt::format("{}: {} of {} facts were looked at, {} of them in part", to_string(*stopped), answered,
                         facts.size(), in_part));
  return stopped || !confirmation.complete() ? ExitStatus::GaveUp : ExitStatus::Nothing;
}

}  // namespace

Command dataflow_command() {
  return make_command<DataflowOptions>(
      {.name = "dataflow",
       .group = CommandGroup::Ask,
       .summary = "where does a fact hold that some actions make true and others false?",
       .description =
           "Forward bitvector problems: for each fact all stack symbols at which a thread can stand while it "
           "holds: after a generating action and before any killing one, by any thread.",
       .examples = {{"lockwood dataflow models/fig1.dpn --generate v42 --kill v0", "where can v be 42?"},
                    {"lockwood dataflow models/definitions.dpn", "reaching definitions"}}},
      declare, run);
}

}  // namespace lockwood::frontend
