#include "solver/construction/decide.hpp"

#include <span>

#include "solver/construction/successors.hpp"
#include "solver/query/tree_alphabet.hpp"

namespace lockwood::solver::reference {
namespace {

RuleSet rules_with(const dpn::Network& network, const std::vector<dpn::Action>& actions, bool member) {
  RuleSet rules(network.rules().size(), !member);
  for (dpn::RuleId rule : network.rules().keys())
    for (dpn::Action action : actions)
      if (network.rule(rule).action == action) rules[rule] = member;
  return rules;
}

Step step_of(const dpn::Network& network, dpn::Semantics semantics, const dpn::QueryStep& query) {
  Step step{.semantics = semantics, .standing = query.positions};
  if (!query.avoiding.empty()) step.allowed = rules_with(network, query.avoiding, false);
  if (!query.requiring.empty()) step.fired.push_back(rules_with(network, query.requiring, true));
  return step;
}

}  // namespace

dpn::Verdict decide(const dpn::Network& network, const dpn::Query& query, StopToken stop) {
  try {
    const dpn::TreeAlphabet alphabet{network};
    treeauto::Automaton trees = initial_tree(alphabet);
    for (const dpn::QueryStep& step : std::span{query.steps}.first(query.steps.size() - 1))
      trees = successors(alphabet, trees, step_of(network, query.semantics, step), stop);
    const Step last = step_of(network, query.semantics, query.steps.back());
    return some_successor(alphabet, trees, last, stop) ? dpn::Verdict::Reachable : dpn::Verdict::Unreachable;
  } catch (const Interrupted&) {
    return dpn::Verdict::Unknown;
  }
}

}  // namespace lockwood::solver::reference
