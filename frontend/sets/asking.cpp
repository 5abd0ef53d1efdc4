#include "frontend/sets/asking.hpp"

#include <fmt/format.h>

#include "dpn/cut.hpp"
#include "frontend/sets/engine_shape.hpp"
#include "solver/solve.hpp"
#include "treeauto/emptiness.hpp"

namespace lockwood::sets {
namespace {

constexpr std::uint64_t tree_limit = 1'000'000;  // nodes

std::optional<dpn::ExecutionTree> tree_by_engine(const Model& model, const solver::Problem& problem, StopToken stop) {
  solver::SolveOptions options;
  options.stop = stop;
  const solver::Answer answer = solver::solve(model.network, problem, options);
  if (answer.verdict == dpn::Verdict::Unknown) throw Interrupted{answer.stopped.value_or(StopReason::Cancelled)};
  if (!answer.witness) return std::nullopt;
  return dpn::without_cuts(answer.witness->tree);
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
    if (goal.tops) parts.push_back("a thread stands in " + names(*goal.tops, model.network.stacks()));
    if (goal.holding) parts.push_back(fmt::format("a thread holds {}", model.network.locks().name(*goal.holding)));
    if (goal.wanting) parts.push_back(fmt::format("a thread wants {}", model.network.locks().name(*goal.wanting)));
  }
  for (const auto& actions : phase.fired) parts.push_back("done: one of " + names(actions, model.network.actions()));
  for (const auto& observer : phase.observers)
    parts.push_back(fmt::format("an observer with {} states accepts", observer->state_count()));
  if (parts.empty()) parts.emplace_back("anything");
  for (std::size_t i = 0; i < parts.size(); ++i) text += (i == 0 ? "" : "; ") + parts[i];
  return text;
}

}  // namespace

std::optional<dpn::ExecutionTree> some_tree(const SetPtr& set, Way way, Automata& automata) {
  const StopToken stop = automata.limits().stop;
  if (way == Way::Automatic) {
    const auto shape = engine_shape(set, stop);
    if (const auto* problem = std::get_if<solver::Problem>(&shape)) return tree_by_engine(*set->model, *problem, stop);
  }
  const std::optional<treeauto::SharedTree> tree = treeauto::smallest_tree(automata.of(set), stop);
  if (!tree) return std::nullopt;
  return dpn::to_execution_tree(set->model->alphabet, treeauto::unfolded(*tree, tree_limit));
}

std::vector<std::string> way_of(const SetPtr& set, Way way, const Limits& limits) {
  if (way == Way::Automata) return {"by automata: as asked for"};
  const auto shape = engine_shape(set, limits.stop);
  if (const auto* none = std::get_if<NoShape>(&shape))
    return {fmt::format("by automata: the engine cannot be asked, for {}", none->reason)};
  const auto& problem = std::get<solver::Problem>(shape);
  std::vector<std::string> lines;
  lines.push_back(fmt::format("by the engine, {}, as a problem with {} phase{}",
                              problem.semantics == dpn::Semantics::LockSensitive ? "with locks" : "without locks",
                              problem.phases.size(), problem.phases.size() == 1 ? "" : "s"));
  for (std::size_t i = 0; i < problem.phases.size(); ++i)
    lines.push_back(sentence_of(*set->model, problem.phases[i], i + 1));
  return lines;
}

}  // namespace lockwood::sets
