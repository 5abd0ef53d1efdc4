#include "verify/waits.hpp"

#include <algorithm>

namespace lockwood::verify {

bool has_need(const Waits& waits) {
  return std::ranges::any_of(waits, [](const Wait& wait) { return wait.kind == 'N' || wait.kind == 'B'; });
}

std::optional<Waits> sequence(const Waits& left, const Waits& right, bool right_stands) {
  Waits both;
  for (const Wait& wait : right) {
    const bool need = wait.kind == 'N' || wait.kind == 'B';
    if (need && left.contains({'O', wait.pair, wait.group})) {
      if (wait.kind == 'B') both.insert({'L', wait.pair});
      continue;
    }
    if (need && left.contains({'F', 0, wait.group})) return std::nullopt;
    both.insert(wait);
  }
  for (const Wait& wait : left) {
    if (wait.kind == 'I') both.insert(wait);
    if (right_stands) continue;
    if (wait.kind == 'F' || (wait.kind == 'O' && !right.contains({'F', 0, wait.group}))) both.insert(wait);
  }
  return both;
}

std::optional<Waits> without(std::span<const dpn::Group> groups, const Waits& inside) {
  Waits outside;
  for (const Wait& wait : inside) {
    const bool among = wait.group && std::ranges::count(groups, *wait.group) > 0;
    if (among && (wait.kind == 'N' || wait.kind == 'B')) return std::nullopt;
    if (!among) outside.insert(wait);
  }
  return outside;
}

std::optional<Waits> started(const dpn::Spawn& spawn, const Waits& child, bool counts_offspring) {
  if (has_need(child)) return std::nullopt;
  Waits start;
  for (const Wait& wait : child) {
    if (wait.kind != 'L' && wait.kind != 'I') continue;
    if (counts_offspring) start.insert({'I', wait.pair});
    for (const auto& [group, all, replace] : spawn.memberships)
      if (wait.kind == 'L' || all) start.insert({'O', wait.pair, group});
  }
  for (const auto& [group, all, replace] : spawn.memberships)
    if (replace) start.insert({'F', 0, group});
  return start;
}

Waits emptied(const std::vector<dpn::Group>& groups) {
  Waits waits;
  for (dpn::Group group : groups) waits.insert({'F', 0, group});
  return waits;
}

std::vector<Waits> standing(const dpn::Network& network, const std::vector<problem::Awaiting>& pairs, dpn::Head head,
                            std::optional<std::size_t> goal) {
  const bool in_pair = std::ranges::any_of(
      pairs, [&](const auto& pair) { return goal && (pair.waiter == *goal || pair.awaited == *goal); });
  std::vector<Waits> choices;
  if (!in_pair) choices.push_back({});
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (goal == pairs[i].awaited) choices.push_back({{'L', i}});
    if (goal && goal != pairs[i].waiter) continue;
    for (dpn::RuleId rule : network.rules_from(head))
      if (const auto* join = std::get_if<dpn::Join>(&network.rule(rule).effect))
        for (dpn::Group group : join->groups) choices.push_back({{goal ? 'N' : 'B', i, group}});
  }
  return choices;
}

}  // namespace lockwood::verify
