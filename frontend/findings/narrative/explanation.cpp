#include "frontend/findings/narrative/explanation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace lockwood::frontend {
namespace {

std::string lock_names(const dpn::Network& network, const std::vector<dpn::Lock>& locks) {
  std::vector<std::string_view> names;
  for (dpn::Lock lock : locks) names.push_back(network.locks().shown(lock));
  return fmt::format("{} {}", locks.size() == 1 ? "lock" : "locks", fmt::join(names, ", "));
}

std::string goal_text(const dpn::Network& network, const solver::StandGoal& goal) {
  std::string text = "no thread can ever";
  if (goal.tops) {
    std::vector<std::string_view> names;
    for (dpn::StackSymbol top : *goal.tops) names.push_back(network.stack_symbols().shown(top));
    text += fmt::format(" be at {}",
                        names.empty() ? "a symbol of the empty set" : fmt::format("{}", fmt::join(names, " or ")));
  }
  if (goal.holding) text += fmt::format(" hold {}", network.locks().shown(*goal.holding));
  if (goal.wanting)
    text += fmt::format("{} be before taking {}", goal.holding ? " and" : "", network.locks().shown(*goal.wanting));
  return text + ", even without locks";
}

class Explanation {
 public:
  Explanation(const dpn::Network& network, const solver::Problem& problem) : network_{network}, problem_{problem} {}

  std::vector<std::string> operator()(const solver::GoalImpossible& reason) const {
    return {goal_text(network_, problem_.phases[reason.phase].standing[reason.goal])};
  }
  std::vector<std::string> operator()(const solver::NeverTogether&) const {
    if (problem_.phases.size() == 1)
      return {
          "even without locks the threads never stand so at the same time: one is not started, or cannot be there, "
          "while the other is"};
    return {"even without locks the steps cannot follow each other, whatever the threads do: by the order of spawns"};
  }
  std::vector<std::string> operator()(const solver::ConditionsUnmet&) const {
    const auto any = [&](auto member) {
      return std::ranges::any_of(problem_.phases, [&](const solver::Phase& phase) { return !(phase.*member).empty(); });
    };
    std::vector<std::string_view> conditions;
    if (any(&solver::Phase::avoiding)) conditions.emplace_back("the actions that are avoided");
    if (any(&solver::Phase::fired)) conditions.emplace_back("the actions that are required");
    if (any(&solver::Phase::observers)) conditions.emplace_back("what the observers accept");
    return {fmt::format("even without locks this cannot be, because of {}", fmt::join(conditions, " or "))};
  }
  std::vector<std::string> operator()(const solver::EndedByThen& reason) const {
    return joined_by_then(network_, reason.joins);
  }
  // Other locks may suffice as well, so it is not said that threads could get there without these.
  std::vector<std::string> operator()(const solver::Excluded& reason) const {
    const bool several =
        std::ranges::any_of(problem_.phases, [](const solver::Phase& phase) { return phase.standing.size() > 1; });
    std::vector<std::string> lines{
        fmt::format("{} by {}, which {}", several ? "excluded" : "kept out", lock_names(network_, reason.locks),
                    reason.locks.size() == 1 ? "alone suffices" : "together suffice; none of them can be spared")};
    if (!reason.common.empty())
      lines.push_back(fmt::format("all sides hold {} where they are", lock_names(network_, reason.common)));
    if (!reason.example.empty()) lines.push_back("for example: " + reason.example);
    return lines;
  }

 private:
  const dpn::Network& network_;
  const solver::Problem& problem_;
};

}  // namespace

std::vector<std::string> explanation(const dpn::Network& network, const solver::Problem& problem,
                                     const solver::Reason& reason) {
  return std::visit(Explanation{network, problem}, reason);
}

std::vector<std::string> joined_by_then(const dpn::Network& network, const std::vector<dpn::RuleId>& joins) {
  std::vector<std::string> sentences;
  for (dpn::RuleId id : joins) {
    const dpn::Rule& rule = network.rule(id);
    std::vector<std::string_view> groups;
    for (dpn::Group group : std::get<dpn::Join>(rule.effect).groups) groups.push_back(network.groups().shown(group));
    std::string sentence =
        fmt::format("{} {} ended by then: joined at {}", fmt::join(groups, ", "), groups.size() == 1 ? "has" : "have",
                    network.stack_symbols().shown(rule.from.top));
    if (std::ranges::find(sentences, sentence) == sentences.end()) sentences.push_back(std::move(sentence));
  }
  return sentences;
}

std::string removal_text(const dpn::Network& network, const std::optional<std::vector<dpn::Lock>>& locks) {
  if (!locks) return "this stays unreachable without any lock";
  return fmt::format("this would be reachable without {}", lock_names(network, *locks));
}

}  // namespace lockwood::frontend
