#include "solver/query/problem.hpp"

#include <algorithm>

#include "base/graph/matching.hpp"

namespace lockwood::problem {

bool meets(const dpn::Network& network, dpn::Head head, const std::set<dpn::Lock>& held, const StandGoal& goal) {
  if (goal.tops && !std::ranges::count(*goal.tops, head.top)) return false;
  if (goal.holding && !held.contains(*goal.holding)) return false;
  if (goal.joining && std::ranges::none_of(network.rules_from(head), [&](dpn::RuleId rule) {
        return network.rule(rule).kind() == dpn::RuleKind::Join;
      }))
    return false;
  if (!goal.wanting) return true;
  return !held.contains(*goal.wanting) && std::ranges::any_of(network.rules_from(head), [&](dpn::RuleId rule) {
    const auto entry = dpn::entry_of(network.rule(rule));
    return entry && entry->lock == goal.wanting;
  });
}

bool collectable(const Problem& problem, const std::vector<dpn::StackSymbol>& tops) {
  if (!problem.collect) return tops.empty();
  const auto& sets = problem.collect->among;
  const auto fits = [&](std::size_t top, std::size_t set) { return std::ranges::count(sets[set], tops[top]) > 0; };
  return matching(tops.size(), sets.size(), fits).has_value();
}

}  // namespace lockwood::problem
