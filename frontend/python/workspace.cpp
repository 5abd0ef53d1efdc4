#include "frontend/python/workspace.hpp"

#include <nlohmann/json.hpp>

#include "base/diagnostic.hpp"
#include "dpn/model_file.hpp"
#include "dpn/schedule.hpp"
#include "dpn/schedule_text.hpp"
#include "dpn/text_format.hpp"
#include "frontend/findings/race_finding.hpp"
#include "frontend/findings/source_places.hpp"
#include "frontend/sets/asking.hpp"
#include "frontend/sets/evaluator.hpp"
#include "frontend/sets/parser.hpp"
#include "solver/deadlock.hpp"
#include "solver/mhp.hpp"
#include "solver/solve.hpp"
#include "treeauto/count_all.hpp"
#include "treeauto/dot.hpp"
#include "treeauto/finiteness.hpp"
#include "treeauto/inclusion.hpp"
#include "treeauto/membership.hpp"
#include "treeauto/sample.hpp"
#include "treeauto/timbuk.hpp"

namespace lockwood::python {
namespace {

using Json = nlohmann::ordered_json;
using treeauto::Automaton;

template <class Key>
Json names_of(const dpn::Vocabulary<Key>& vocabulary) {
  Json names = Json::array();
  for (Key key : vocabulary.keys()) names.push_back(vocabulary.name(key));
  return names;
}

// Nodes in preorder: a tree may be deeper than Python recurs.
Json json_of(const sets::Model& model, const dpn::ExecutionTree& tree) {
  Json nodes = Json::array();
  for (dpn::NodeId node : tree.nodes()) {
    Json children = Json::array();
    const std::size_t rank = dpn::rank(tree.kind(node));
    if (rank > 0) children.push_back(tree.first_child(node).index());
    if (rank > 1) children.push_back(tree.second_child(node).index());
    nodes.push_back({model.alphabet.symbols().name(model.alphabet.symbol(dpn::label_of(tree, node))), children});
  }
  return {{"term", sets::term_text(model, tree)}, {"nodes", std::move(nodes)}};
}

Json json_of(const sets::Model& model, const solver::Witness& witness) {
  return {{"tree", json_of(model, witness.tree)}, {"schedule", dpn::schedule_json(model.network, witness.schedule)}};
}

Json json_of_tree_of_set(const sets::Model& model, const std::optional<dpn::ExecutionTree>& tree) {
  if (!tree) return nullptr;
  auto schedule = dpn::schedule_of(model.network, *tree, dpn::Semantics::LockSensitive);
  const bool respects_locks = schedule.has_value();
  if (!schedule) schedule = dpn::schedule_of(model.network, *tree, dpn::Semantics::LockInsensitive);
  return {{"tree", json_of(model, *tree)},
          {"schedule", dpn::schedule_json(model.network, *schedule)},
          {"respects_locks", respects_locks}};
}

// The automata, which this call may stop; `use` is called with them while no other thread has them.
template <class Use>
auto with_automata(Workspace& workspace, StopToken stop, Use&& use) {
  const std::lock_guard lock{workspace.mutex};
  const sets::Limits limits{.states = workspace.max_states, .stop = stop};
  if (workspace.automata == nullptr)
    workspace.automata = std::make_unique<sets::Automata>(limits);
  else
    workspace.automata->set_limits(limits);
  workspace.automata->forget_unused();
  return use(*workspace.automata);
}

// Queries about a program may name its labels and lines.
std::string with_symbols(const Workspace& workspace, const std::string& queries) {
  if (!workspace.program) return queries;
  const auto& [source, lowered] = *workspace.program;
  return findings::with_symbols({.program = source.program, .lowered = lowered, .path = source.path}, queries);
}

}  // namespace

WorkspacePtr read_workspace(const std::string& text, const std::string& path) {
  auto workspace = std::make_shared<Workspace>();
  std::vector<Diagnostic> warnings;
  if (path.ends_with(".lw")) {
    lw::ProgramText source = lw::read_program(text, path);
    for (const program::Warning& warning : source.warnings) warnings.push_back(lw::to_diagnostic(source, warning));
    program::Lowered lowered = program::lower(source.program);
    workspace->model = std::make_shared<const sets::Model>(lowered.network);
    workspace->program.emplace(ProgramSource{std::move(source), std::move(lowered)});
  } else {
    dpn::ModelFile file = dpn::parse_model(text, path);
    warnings = std::move(file.warnings);
    workspace->model = std::make_shared<const sets::Model>(std::move(file.network));
    workspace->queries = std::move(file.queries);
  }
  for (const Diagnostic& warning : warnings) workspace->warnings.push_back(to_text(warning));
  return workspace;
}

std::string description(const Workspace& workspace) {
  const dpn::Network& network = workspace.model->network;
  Json rules = Json::array();
  for (const dpn::Rule& rule : network.rules()) rules.push_back(dpn::to_text(network, rule));
  Json queries = Json::array();
  for (const dpn::Query& query : workspace.queries) queries.push_back(dpn::to_text(network, query));
  return Json{{"stacks", names_of(network.stacks())},
              {"actions", names_of(network.actions())},
              {"locks", names_of(network.locks())},
              {"controls", names_of(network.controls())},
              {"rules", std::move(rules)},
              {"queries", std::move(queries)}}
      .dump();
}

std::string answers(const Workspace& workspace, const std::string& queries, StopToken stop) {
  const dpn::Network& network = workspace.model->network;
  Json all = Json::array();
  for (const dpn::Query& query : dpn::parse_queries(network, with_symbols(workspace, queries), "query")) {
    solver::SolveOptions options;
    options.stop = stop;
    const solver::Answer answer = solver::solve(network, solver::problem_of(query), options);
    if (answer.stopped) throw Interrupted{*answer.stopped};
    Json entry{{"query", dpn::to_text(network, query)}, {"verdict", dpn::to_string(answer.verdict)}};
    if (answer.witness) entry.update(json_of(*workspace.model, *answer.witness));
    all.push_back(std::move(entry));
  }
  return all.dump();
}

std::string parallel_pairs(const Workspace& workspace, bool nolocks, StopToken stop) {
  solver::MhpOptions options;
  if (nolocks) options.semantics = dpn::Semantics::LockInsensitive;
  options.stop = stop;
  const dpn::Network& network = workspace.model->network;
  const solver::MhpAnswer answer = solver::parallel_pairs(network, options);
  if (answer.stopped) throw Interrupted{*answer.stopped};
  Json pairs = Json::array();
  for (const auto& [first, second] : answer.pairs)
    pairs.push_back({network.stacks().name(first), network.stacks().name(second)});
  return pairs.dump();
}

std::string deadlocks(const Workspace& workspace, StopToken stop) {
  const dpn::Network& network = workspace.model->network;
  solver::DeadlockOptions options;
  options.solving.stop = stop;
  const solver::Deadlocks found = solver::find_deadlocks(network, options);
  if (found.stopped) throw Interrupted{*found.stopped};
  Json rings = Json::array();
  for (const solver::LockRing& ring : found.rings) {
    if (!ring.answer.witness) continue;
    Json entry{{"locks", Json::array()}};
    for (dpn::Lock lock : ring.locks) entry["locks"].push_back(network.locks().name(lock));
    entry.update(json_of(*workspace.model, *ring.answer.witness));
    rings.push_back(std::move(entry));
  }
  return rings.dump();
}

std::string races(const Workspace& workspace, StopToken stop) {
  if (!workspace.program) throw InputError{"races", "only programs have races; this is a model"};
  const auto& [source, lowered] = *workspace.program;
  IdVector<program::SourceFile, std::string> texts;
  texts.push_back(source.text);
  const findings::SourceTerms terms{source.program, lowered, texts};
  const findings::ConflictVerdicts verdicts = findings::decide_all(lowered, stop);
  if (verdicts.stopped) throw Interrupted{*verdicts.stopped};
  Json races = Json::array();
  for (const findings::Conflict& conflict : verdicts.racing) {
    solver::SolveOptions options;
    options.stop = stop;
    const solver::Answer answer =
        solver::solve(lowered.network, findings::conflict_problem(lowered, conflict), options);
    if (answer.stopped) throw Interrupted{*answer.stopped};
    const findings::Finding race = findings::race_finding(terms, conflict, answer.witness->schedule);
    Json entry{{"id", race.id}, {"variable", race.subject}, {"message", race.message}, {"sites", Json::array()}};
    for (const findings::Site& site : race.sites)
      entry["sites"].push_back({{"role", site.role},
                                {"file", site.at.file},
                                {"line", site.at.begin.line},
                                {"column", site.at.begin.column},
                                {"thread", site.thread},
                                {"holds", site.holds}});
    entry.update(json_of(*workspace.model, *answer.witness));
    races.push_back(std::move(entry));
  }
  return races.dump();
}

sets::SetPtr set_of(Workspace& workspace, const std::string& expression, StopToken stop) {
  const sets::Script script = sets::parse_script(expression, "expression");
  if (script.statements.size() != 1 || !std::holds_alternative<sets::Show>(script.statements[0].what))
    throw InputError{"expression", "this should be one expression for a set"};
  sets::Evaluator evaluator{{.states = workspace.max_states, .stop = stop}, sets::Way::Automatic, {}};
  evaluator.set_model(workspace.model);
  const sets::Value value = evaluator.evaluate(*std::get<sets::Show>(script.statements[0].what).value, script.source);
  if (const auto* set = std::get_if<sets::SetPtr>(&value)) return *set;
  throw InputError{"expression", "this is no set, but " + std::string{sets::type_name(value)}};
}

std::string witness(Workspace& workspace, const sets::SetPtr& set, StopToken stop) {
  return with_automata(workspace, stop, [&](sets::Automata& automata) {
    return json_of_tree_of_set(*workspace.model, sets::some_tree(set, sets::Way::Automatic, automata)).dump();
  });
}

std::string sample(Workspace& workspace, const sets::SetPtr& set, std::size_t nodes, std::uint64_t seed,
                   StopToken stop) {
  return with_automata(workspace, stop, [&](sets::Automata& automata) {
    const dpn::TreeAlphabet& alphabet = workspace.model->alphabet;
    const auto tree = treeauto::sampled_tree(automata.of(set), nodes, seed, automata.limits().stop);
    std::optional<dpn::ExecutionTree> found;
    if (tree) found = dpn::to_execution_tree(alphabet, with_alphabet(*tree, alphabet.symbols()));
    return json_of_tree_of_set(*workspace.model, found).dump();
  });
}

bool is_empty(Workspace& workspace, const sets::SetPtr& set, StopToken stop) {
  return with_automata(workspace, stop, [&](sets::Automata& automata) {
    return !sets::some_tree(set, sets::Way::Automatic, automata).has_value();
  });
}

bool is_included(Workspace& workspace, const sets::SetPtr& first, const sets::SetPtr& second, StopToken stop) {
  return with_automata(workspace, stop, [&](sets::Automata& automata) {
    const Automaton left = automata.of(first);
    return treeauto::is_included(left, automata.of(second), automata.limits().stop);
  });
}

bool is_finite(Workspace& workspace, const sets::SetPtr& set, StopToken stop) {
  return with_automata(workspace, stop,
                       [&](sets::Automata& automata) { return treeauto::is_finite(automata.of(set)); });
}

bool is_member(Workspace& workspace, const std::string& term, const sets::SetPtr& set, StopToken stop) {
  return with_automata(workspace, stop, [&](sets::Automata& automata) {
    const treeauto::Tree tree = treeauto::read_tree(term, workspace.model->alphabet.symbols());
    return treeauto::accepts(automata.of(set), tree, automata.limits().stop);
  });
}

std::string count(Workspace& workspace, const sets::SetPtr& set, std::optional<std::size_t> nodes, StopToken stop) {
  return with_automata(workspace, stop, [&](sets::Automata& automata) {
    const Automaton& trees = automata.of(set);
    const StopToken bounded = automata.limits().stop;
    return (nodes ? treeauto::count_trees(trees, *nodes, bounded) : treeauto::count_all_trees(trees, bounded)).str();
  });
}

std::string automaton(Workspace& workspace, const sets::SetPtr& set, StopToken stop) {
  return with_automata(workspace, stop, [&](sets::Automata& automata) {
    const Automaton& found = automata.of(set);
    Json final = Json::array();
    for (treeauto::State state : found.final_states()) final.push_back(state.index());
    Json transitions = Json::array();
    for (treeauto::TransitionId id : found.transitions()) {
      Json children = Json::array();
      for (treeauto::State child : found.children(id)) children.push_back(child.index());
      transitions.push_back({found.alphabet().name(found.symbol(id)), std::move(children), found.target(id).index()});
    }
    return Json{{"states", found.state_count()}, {"final", std::move(final)}, {"transitions", std::move(transitions)}}
        .dump();
  });
}

std::string timbuk(Workspace& workspace, const sets::SetPtr& set, StopToken stop) {
  return with_automata(workspace, stop,
                       [&](sets::Automata& automata) { return treeauto::to_timbuk(automata.of(set)); });
}

std::string dot(Workspace& workspace, const sets::SetPtr& set, StopToken stop) {
  return with_automata(workspace, stop, [&](sets::Automata& automata) { return treeauto::to_dot(automata.of(set)); });
}

std::vector<std::string> explanation(const sets::SetPtr& set) { return sets::way_of(set, sets::Way::Automatic, {}); }

}  // namespace lockwood::python
