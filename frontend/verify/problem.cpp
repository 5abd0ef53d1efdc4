#include "frontend/verify/problem.hpp"

#include <algorithm>

namespace lockwood::verify {
namespace {

constexpr std::size_t goal_limit = 64;  // they are bits of a word

template <class Key>
std::set<Key> read_set(const JsonItem& item, const dpn::Vocabulary<Key>& vocabulary, std::string& text) {
  std::set<Key> set;
  text += '{';
  for (const JsonItem& name : item.list()) {
    text += (set.empty() ? "" : ", ") + name.text();
    set.insert(name.symbol(vocabulary));
  }
  text += '}';
  return set;
}

StandGoal read_goal(const dpn::Network& network, const JsonItem& item, std::string& text) {
  item.with_members({"tops", "holding", "wanting"});
  StandGoal goal;
  text += " [a thread";
  if (const auto tops = item.find("tops")) goal.tops = read_set(*tops, network.stacks(), text += " at ");
  if (const auto lock = item.find("holding")) {
    goal.holding = lock->symbol(network.locks());
    text += " holding " + lock->text();
  }
  if (const auto lock = item.find("wanting")) {
    goal.wanting = lock->symbol(network.locks());
    text += " wanting " + lock->text();
  }
  text += ']';
  return goal;
}

Phase read_phase(const dpn::Network& network, const JsonItem& item, std::string& text) {
  item.with_members({"avoiding", "standing", "fired"});
  Phase phase;
  if (const auto avoiding = item.find("avoiding"))
    phase.avoiding = read_set(*avoiding, network.actions(), text += " avoiding ");
  for (const JsonItem& actions : item.list("fired"))
    phase.fired.push_back(read_set(actions, network.actions(), text += " doing one of "));
  for (const JsonItem& goal : item.list("standing")) phase.standing.push_back(read_goal(network, goal, text));
  return phase;
}

}  // namespace

Problem read_problem(const dpn::Network& network, const JsonItem& item) {
  item.with_members({"semantics", "phases", "collect"});
  Problem problem;
  const JsonItem semantics = item.member("semantics");
  problem.text = semantics.text();
  if (problem.text == "lock-insensitive")
    problem.semantics = dpn::Semantics::LockInsensitive;
  else if (problem.text != "lock-sensitive")
    semantics.reject("this must be lock-sensitive or lock-insensitive");
  for (const JsonItem& phase : item.member("phases").list()) {
    problem.text += problem.phases.empty() ? ":" : "; then";
    problem.phases.push_back(read_phase(network, phase, problem.text));
    problem.phases.back().first_goal = problem.goals;
    problem.goals += problem.phases.back().standing.size() + problem.phases.back().fired.size();
  }
  if (problem.phases.empty()) item.reject("there must be a phase");
  if (problem.goals > goal_limit) item.reject("there are more than " + std::to_string(goal_limit) + " goals");
  if (const auto collect = item.find("collect")) {
    for (const JsonItem& tops : collect->list())
      problem.collect.push_back(read_set(tops, network.stacks(), problem.text += " and some thread at "));
    if (problem.collect.empty() || problem.collect.size() > 2) collect->reject("there must be one set or two");
  }
  return problem;
}

bool meets(const dpn::Network& network, dpn::Head head, const Locks& held, const StandGoal& goal) {
  if (goal.tops && !goal.tops->contains(head.top)) return false;
  if (goal.holding && !held.contains(*goal.holding)) return false;
  if (!goal.wanting) return true;
  return !held.contains(*goal.wanting) && std::ranges::any_of(network.rules_from(head), [&](dpn::RuleId rule) {
    const auto entry = dpn::entry_of(network.rule(rule));
    return entry && entry->lock == goal.wanting;
  });
}

bool collectable(const Problem& problem, const std::vector<dpn::StackSymbol>& tops) {
  if (tops.size() > problem.collect.size()) return false;
  std::vector<std::size_t> order;  // the sets in the order in which the tops take them
  for (std::size_t i = 0; i < problem.collect.size(); ++i) order.push_back(i);
  do {
    bool fits = true;
    for (std::size_t i = 0; i < tops.size(); ++i) fits = fits && problem.collect[order[i]].contains(tops[i]);
    if (fits) return true;
  } while (std::ranges::next_permutation(order).found);
  return false;
}

}  // namespace lockwood::verify
