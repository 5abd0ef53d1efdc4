#include "frontend/python/workspace.hpp"

#include "base/text/diagnostic.hpp"
#include "base/text/json.hpp"
#include "dpn/formats/json_format.hpp"
#include "dpn/formats/model_file.hpp"
#include "dpn/formats/schedule_text.hpp"
#include "dpn/formats/text_format.hpp"
#include "dpn/trees/schedule.hpp"
#include "frontend/api/proof.hpp"
#include "frontend/findings/narrative/explanation.hpp"
#include "frontend/findings/narrative/source_places.hpp"
#include "frontend/sets/asking.hpp"
#include "frontend/sets/evaluator.hpp"
#include "frontend/sets/parser.hpp"
#include "solver/analyses/batch.hpp"
#include "solver/analyses/deadlock.hpp"
#include "solver/analyses/explain.hpp"
#include "solver/analyses/mhp.hpp"
#include "solver/analyses/solve.hpp"
#include "solver/query/observer.hpp"
#include "treeauto/automaton/automaton_builder.hpp"
#include "treeauto/counting/count_all.hpp"
#include "treeauto/counting/sample.hpp"
#include "treeauto/formats/dot.hpp"
#include "treeauto/formats/timbuk.hpp"
#include "treeauto/lazy/inclusion.hpp"
#include "treeauto/operations/finiteness.hpp"
#include "treeauto/operations/membership.hpp"

namespace lockwood::python {
namespace {

using Json = nlohmann::ordered_json;
using treeauto::Automaton;

constexpr std::chrono::milliseconds turn_poll{20};  // how often whoever waits for others looks whether to stop

template <class Key>
Json names_of(const dpn::Vocabulary<Key>& vocabulary) {
  Json names = Json::array();
  for (Key key : vocabulary.keys()) names.push_back(vocabulary.name(key));
  return names;
}

Json json_of(const sets::Model& model, const solver::Witness& witness) {
  return {{"tree", tree_json(model, witness.tree)}, {"schedule", schedule_json(model, witness.schedule)}};
}

Json json_of(const sets::Model& model, const sets::FoundTree& found) {
  auto schedule = dpn::schedule_of(model.network, found.tree, dpn::Semantics::LockSensitive);
  const bool respects_locks = schedule.has_value();
  if (!schedule) schedule = dpn::schedule_of(model.network, found.tree, dpn::Semantics::LockInsensitive);
  return {{"tree", tree_json(model, found.tree)},
          {"schedule", schedule_json(model, *schedule)},
          {"respects_locks", respects_locks},
          {"smallest", found.smallest}};
}

// The automata, which this call may stop; `use` is called with them while no other thread has them.
template <class Use>
auto with_automata(Workspace& workspace, StopToken stop, Use&& use) {
  std::unique_lock lock{workspace.mutex, std::defer_lock};
  while (!lock.try_lock_for(turn_poll)) stop.check();
  const sets::Limits limits{.states = workspace.max_states, .stop = stop};
  if (workspace.automata == nullptr)
    workspace.automata = std::make_unique<sets::Automata>(limits);
  else
    workspace.automata->set_limits(limits);
  workspace.automata->forget_unused();
  return use(*workspace.automata);
}

findings::PlacedProgram placed(const ProgramSource& program) {
  return {.program = program.text.program, .lowered = program.lowered, .path = program.text.path};
}

// Queries about a program may name its labels and lines.
std::string with_symbols(const Workspace& workspace, const std::string& queries) {
  return workspace.program ? findings::with_symbols(placed(*workspace.program), queries) : queries;
}

sets::Question question_about(const sets::SetPtr& set, const sets::Automata& automata) {
  return sets::question_about(set, sets::Way::Automatic, automata.limits().stop);
}

void check_nodes(std::size_t nodes) {
  if (nodes > sets::node_limit)
    throw InputError{"nodes", "this should be a number up to " + std::to_string(sets::node_limit)};
}

}  // namespace

nlohmann::ordered_json tree_json(const sets::Model& model, const dpn::ExecutionTree& tree) {
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

nlohmann::ordered_json schedule_json(const sets::Model& model, const dpn::Schedule& schedule) {
  Json json = dpn::schedule_json(model.network, schedule);
  json["text"] = dpn::schedule_text(model.network, schedule);
  return json;
}

WorkspacePtr read_workspace(const std::string& text, const std::string& path) {
  auto workspace = std::make_shared<Workspace>();
  workspace->path = path;
  std::vector<Diagnostic> warnings;
  if (path.ends_with(".lw")) {
    lw::ProgramText source = lw::read_program(text, path);
    for (const program::Warning& warning : source.warnings) warnings.push_back(lw::to_diagnostic(source, warning));
    program::Lowered lowered = program::lower(source.program);
    const auto program = std::make_shared<const ProgramSource>(ProgramSource{std::move(source), std::move(lowered)});
    sets::Places places;
    for (const program::LoweredLabel& label : program->lowered.labels) places.labels.push_back(label.name);
    places.symbols_at = [program](const std::string& place) { return findings::symbols_at(placed(*program), place); };
    workspace->model = std::make_shared<const sets::Model>(program->lowered.network, std::move(places));
    workspace->program = program;
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
  const Json model = Json::parse(dpn::to_json(network, {}));
  Json rules = model.at("rules");
  for (dpn::RuleId id : network.rules().keys()) rules[id.index()]["text"] = dpn::to_text(network, network.rule(id));
  Json queries = Json::array();
  for (const dpn::Query& query : workspace.queries) queries.push_back(dpn::to_text(network, query));
  return Json{{"stacks", names_of(network.stack_symbols())},
              {"actions", names_of(network.actions())},
              {"locks", names_of(network.locks())},
              {"controls", names_of(network.control_states())},
              {"labels", workspace.model->places.labels},
              {"initial", model.at("initial")},
              {"rules", std::move(rules)},
              {"queries", std::move(queries)}}
      .dump();
}

std::string answers(const Workspace& workspace, const std::string& queries, AnswerWishes wishes, StopToken stop) {
  const dpn::Network& network = workspace.model->network;
  Json all = Json::array();
  for (const dpn::Query& query : dpn::parse_queries(network, with_symbols(workspace, queries), "query")) {
    const solver::Problem problem = solver::problem_of(query);
    const solver::Answer answer = solver::solve(network, problem, {.certify = wishes.proofs, .stop = stop});
    if (answer.stopped) throw Interrupted{*answer.stopped};
    Json entry{{"query", dpn::to_text(network, query)}, {"verdict", dpn::to_string(answer.verdict)}};
    if (answer.witness) entry.update(json_of(*workspace.model, *answer.witness));
    if (wishes.explain && answer.verdict == dpn::Verdict::Unreachable)
      entry["explanation"] = frontend::explanation(network, problem, solver::explain(network, problem, stop));
    if (wishes.proofs && answer.verdict != dpn::Verdict::Unknown)
      entry["proof"] = api::proof_of(network, problem, answer, stop);
    all.push_back(std::move(entry));
  }
  return all.dump();
}

std::string batch_answers(const Workspace& workspace, const std::vector<std::string>& queries, std::size_t jobs,
                          bool schedules, StopToken stop) {
  if (jobs == 0) throw InputError{"jobs", "this should be a number above 0"};
  const dpn::Network& network = workspace.model->network;
  std::vector<dpn::Query> asked;  // all are understood before one is answered
  for (const std::string& text : queries)
    for (dpn::Query& query : dpn::parse_queries(network, with_symbols(workspace, text), "query"))
      asked.push_back(std::move(query));
  std::size_t begun = 0;
  const auto next = [&]() -> std::optional<solver::BatchQuestion> {
    if (begun == asked.size()) return std::nullopt;
    const dpn::Query& query = asked[begun++];
    return solver::BatchQuestion{{}, dpn::to_text(network, query), solver::problem_of(query)};
  };
  Json all = Json::array();
  const auto take = [&](solver::BatchAnswer given) {
    if (const auto* fault = std::get_if<solver::Fault>(&given.answer)) throw solver::BrokenAnswer{fault->what};
    const auto& answer = std::get<solver::Answer>(given.answer);
    if (answer.stopped) throw Interrupted{*answer.stopped};
    Json entry{{"query", given.text}, {"verdict", dpn::to_string(answer.verdict)}};
    if (schedules && answer.witness) entry.update(json_of(*workspace.model, *answer.witness));
    all.push_back(std::move(entry));
  };
  solver::solve_batch(network, next, take,
                      {.witness = schedules ? solver::WitnessChoice::Smallest : solver::WitnessChoice::None,
                       .jobs = jobs,
                       .stop = stop});
  stop.check();
  return all.dump();
}

std::optional<std::string> rejection_reason(const Workspace& workspace, const std::string& query,
                                            const std::string& verdict, const std::string& proof, StopToken stop) {
  const dpn::Network& network = workspace.model->network;
  const auto queries = dpn::parse_queries(network, with_symbols(workspace, query), "query");
  if (queries.size() != 1) throw InputError{"query", "there should be one query"};
  for (dpn::Verdict claimed : {dpn::Verdict::Reachable, dpn::Verdict::Unreachable})
    if (verdict == dpn::to_string(claimed))
      return api::rejection_reason(network, solver::problem_of(queries.front()), proof, claimed, stop);
  return "an unknown verdict has no proof";
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
    pairs.push_back({network.stack_symbols().name(first), network.stack_symbols().name(second)});
  return pairs.dump();
}

std::string deadlocks(const Workspace& workspace, StopToken stop) {
  const dpn::Network& network = workspace.model->network;
  solver::DeadlockOptions options;
  options.solving.stop = stop;
  const solver::Deadlocks found = solver::find_deadlocks(network, options);
  if (found.stopped) throw Interrupted{*found.stopped};
  Json cycles = Json::array();
  for (const solver::LockCycle& cycle : found.cycles) {
    if (!cycle.answer.witness) continue;
    Json entry{{"locks", Json::array()}};
    for (dpn::Lock lock : cycle.shape.locks) entry["locks"].push_back(network.locks().name(lock));
    entry["joins"] = cycle.shape.through_joins;
    entry.update(json_of(*workspace.model, *cycle.answer.witness));
    cycles.push_back(std::move(entry));
  }
  return cycles.dump();
}

sets::SetPtr set_of(Workspace& workspace, const std::string& expression, StopToken stop) {
  const sets::Script script = sets::parse_script(expression, "expression");
  if (script.statements.size() != 1 || !std::holds_alternative<sets::Show>(script.statements[0].what))
    throw InputError{"expression", "this should be one expression for a set"};
  sets::Evaluator evaluator{{.states = workspace.max_states, .stop = stop}, sets::Way::Automatic, {}};
  evaluator.set_model(workspace.model);
  const sets::Value value = evaluator.evaluate(*std::get<sets::Show>(script.statements[0].what).value, script.source);
  if (const auto* set = std::get_if<sets::SetPtr>(&value)) return *set;
  throw InputError{"expression", "this is not a set, but " + std::string{sets::type_name(value)}};
}

sets::SetPtr set_of_automaton(const Workspace& workspace, const std::string& text) {
  const Json json = Json::parse(text);
  treeauto::AutomatonBuilder builder;
  builder.add_states(json.at("states").get<std::size_t>());
  const auto state = [&](const Json& number) {
    if (!number.is_number_unsigned() || number.get<std::size_t>() >= builder.state_count())
      throw InputError{"automaton", "there is no state " + number.dump()};
    return treeauto::State{number.get<std::size_t>()};
  };
  for (const Json& number : json.at("final")) builder.set_final(state(number));
  for (const Json& transition : json.at("transitions")) {
    std::vector<treeauto::State> children;
    for (const Json& child : transition.at(1)) children.push_back(state(child));
    const treeauto::Symbol symbol = builder.symbol(transition.at(0).get<std::string>(), children.size());
    builder.add(symbol, children, state(transition.at(2)));
  }
  const Automaton automaton = std::move(builder).build();
  const sets::Model& model = *workspace.model;
  if (auto problems = problem::misfits(model.alphabet, automaton, "automaton"); !problems.empty())
    throw InputError{std::move(problems)};
  return sets::make_set(workspace.model,
                        sets::Property{sets::Accepted{with_alphabet(automaton, model.alphabet.symbols())}});
}

std::string witness(Workspace& workspace, const sets::SetPtr& set, StopToken stop) {
  return with_automata(workspace, stop, [&](sets::Automata& automata) {
    const auto found = sets::some_tree(question_about(set, automata), automata);
    return found ? json_of(*workspace.model, *found).dump() : std::string{"null"};
  });
}

std::string sample(Workspace& workspace, const sets::SetPtr& set, std::size_t nodes, std::uint64_t seed,
                   StopToken stop) {
  check_nodes(nodes);
  return with_automata(workspace, stop, [&](sets::Automata& automata) {
    const dpn::TreeAlphabet& alphabet = workspace.model->alphabet;
    const auto tree = treeauto::sampled_tree(automata.of(set), nodes, seed, automata.limits().stop);
    if (!tree) return std::string{"null"};
    const sets::FoundTree found{dpn::to_execution_tree(alphabet, with_alphabet(*tree, alphabet.symbols())), false};
    return json_of(*workspace.model, found).dump();
  });
}

bool is_empty(Workspace& workspace, const sets::SetPtr& set, StopToken stop) {
  return with_automata(workspace, stop, [&](sets::Automata& automata) {
    return sets::is_empty(question_about(set, automata), automata);
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
  check_nodes(nodes.value_or(0));
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

std::size_t state_count(Workspace& workspace, const sets::SetPtr& set, StopToken stop) {
  return with_automata(workspace, stop, [&](sets::Automata& automata) { return automata.of(set).state_count(); });
}

std::vector<std::string> explanation(Workspace& workspace, const sets::SetPtr& set, StopToken stop) {
  return with_automata(workspace, stop,
                       [&](sets::Automata& automata) { return sets::way_of(question_about(set, automata)); });
}

}  // namespace lockwood::python
