#include "frontend/sets/asking.hpp"

#include <fmt/format.h>

#include "dpn/trees/cut.hpp"
#include "frontend/sets/engine_shape.hpp"
#include "solver/analyses/solve.hpp"
#include "treeauto/operations/emptiness.hpp"

namespace lockwood::sets {
namespace {

solver::Answer answer_by_engine(const Model& model, const solver::Problem& problem,
                                const solver::SolveOptions& options) {
  solver::Answer answer = solver::solve(model.network, problem, options);
  if (answer.verdict == dpn::Verdict::Unknown) throw Interrupted{answer.stopped.value_or(StopReason::Cancelled)};
  return answer;
}

std::string sentence_of(const Model& model, const solver::Phase& phase, std::size_t number) {
  std::string text = fmt::format("phase {}: ", number);
  std::vector<std::string> parts;
  const auto names = [&](const auto& keys, const auto& vocabulary) {
    std::string list;
    for (const auto key : keys) list += (list.empty() ? "" : ", ") + std::string{vocabulary.name(key)};
    return '{' + list + '}';
  };
  if (!phase.avoiding.empty()) parts.push_back("avoiding " + names(phase.avoiding, model.network.actions()));
  for (const solver::StandGoal& goal : phase.standing) {
    if (goal.tops) parts.push_back("a thread is in " + names(*goal.tops, model.network.stack_symbols()));
    if (goal.holding) parts.push_back(fmt::format("a thread holds {}", model.network.locks().name(*goal.holding)));
    if (goal.wanting) parts.push_back(fmt::format("a thread wants {}", model.network.locks().name(*goal.wanting)));
  }
  for (const auto& actions : phase.fired) parts.push_back("done: one of " + names(actions, model.network.actions()));
  for (const auto& observer : phase.observers) {
    const std::size_t states = observer->state_count();
    parts.push_back(states == 0 ? "what no execution tree has"
                                : fmt::format("an observer with {} state{} accepts", states, states == 1 ? "" : "s"));
  }
  if (parts.empty()) parts.emplace_back("anything");
  for (std::size_t i = 0; i < parts.size(); ++i) text += (i == 0 ? "" : "; ") + parts[i];
  return text;
}

}  // namespace

Question question_about(const SetPtr& set, Way way, StopToken stop) {
  if (way == Way::Automata) return {set, "as asked for"};
  auto shape = engine_shape(set, stop);
  if (const auto* none = std::get_if<NoShape>(&shape))
    return {set, fmt::format("the engine cannot be asked, for {}", none->reason)};
  auto& [problem, phase] = std::get<EngineShape>(shape);
  return {set, std::move(problem), phase};
}

std::vector<std::string> way_of(const Question& question) {
  if (const auto* reason = std::get_if<std::string>(&question.asked)) return {"by automata: " + *reason};
  const auto& problem = std::get<solver::Problem>(question.asked);
  std::vector<std::string> lines;
  lines.push_back(fmt::format("by the engine, {}, as a problem with {} phase{}",
                              problem.semantics == dpn::Semantics::LockSensitive ? "with locks" : "without locks",
                              problem.phases.size(), problem.phases.size() == 1 ? "" : "s"));
  for (std::size_t i = 0; i < problem.phases.size(); ++i)
    lines.push_back(sentence_of(*question.set->model, problem.phases[i], i + 1));
  if (question.phase + 1 < problem.phases.size())
    lines.push_back(fmt::format("the tree at the end of phase {} is in the set", question.phase + 1));
  return lines;
}

bool is_empty(const Question& question, Automata& automata) {
  const StopToken stop = automata.limits().stop;
  if (const auto* problem = std::get_if<solver::Problem>(&question.asked))
    return answer_by_engine(*question.set->model, *problem, {.witness = solver::WitnessChoice::None, .stop = stop})
               .verdict == dpn::Verdict::Unreachable;
  return treeauto::is_empty(automata.of(question.set));
}

std::optional<FoundTree> some_tree(const Question& question, Automata& automata, std::uint64_t max_nodes) {
  const StopToken stop = automata.limits().stop;
  const Model& model = *question.set->model;
  if (const auto* problem = std::get_if<solver::Problem>(&question.asked)) {
    const solver::Answer answer = answer_by_engine(model, *problem, {.witness_limit = max_nodes, .stop = stop});
    if (answer.large_witness) throw treeauto::TreeTooLarge{answer.large_witness->nodes};
    if (!answer.witness) return std::nullopt;
    if (question.phase + 1 < problem->phases.size())  // the smallest execution need not be smallest there
      return FoundTree{dpn::tree_at_cut(answer.witness->tree, question.phase, dpn::EarlierCuts::Remove), false};
    return FoundTree{dpn::without_cuts(answer.witness->tree), answer.witness->best};
  }
  const std::optional<treeauto::SharedTree> tree = treeauto::smallest_tree(automata.of(question.set), stop);
  if (!tree) return std::nullopt;
  return FoundTree{dpn::to_execution_tree(model.alphabet, treeauto::unfolded(*tree, max_nodes)), true};
}

}  // namespace lockwood::sets
