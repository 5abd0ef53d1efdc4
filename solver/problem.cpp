#include "solver/problem.hpp"

#include <algorithm>

namespace lockwood::solver {
namespace {

using dpn::Action;
using dpn::RuleId;

IdVector<Action, bool> members(const dpn::Network& network, const std::vector<Action>& actions) {
  IdVector<Action, bool> member(network.actions().size(), false);
  for (Action action : actions) member[action] = true;
  return member;
}

}  // namespace

Problem problem_of(const dpn::Network& network, const dpn::Query& query) {
  Problem problem{.semantics = query.semantics};
  for (const dpn::QueryStep& step : query.steps) {
    Phase& phase = problem.phases.emplace_back();
    if (!step.avoiding.empty()) {
      const auto avoided = members(network, step.avoiding);
      phase.allowed.emplace(network.rules().size(), true);
      for (RuleId rule : network.rules().keys())
        if (avoided[network.rule(rule).action]) (*phase.allowed)[rule] = false;
    }
    if (!step.requiring.empty()) {
      const auto required = members(network, step.requiring);
      std::vector<RuleId>& fired = phase.fired.emplace_back();
      for (RuleId rule : network.rules().keys())
        if (required[network.rule(rule).action]) fired.push_back(rule);
    }
    for (const auto& tops : step.positions) phase.standing.push_back(StandGoal{.tops = tops});
  }
  return problem;
}

}  // namespace lockwood::solver
