#include "solver/analyses/dataflow.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "solver/analyses/flow_group.hpp"
#include "solver/analyses/locations_at_end.hpp"

namespace lockwood::solver {
namespace {

// v of def(v) and def(v,…); v may itself contain parentheses.
std::optional<std::string_view> defined_variable(std::string_view action) {
  constexpr std::string_view prefix = "def(";
  if (!action.starts_with(prefix)) return std::nullopt;
  std::size_t depth = 0;
  for (std::size_t i = prefix.size(); i < action.size(); ++i) {
    if (depth == 0 && (action[i] == ',' || action[i] == ')')) return action.substr(prefix.size(), i - prefix.size());
    if (action[i] == '(') ++depth;
    if (action[i] == ')') --depth;
  }
  return std::nullopt;
}

// Does the fact hold at some time? In three steps: anything; a generating action and nothing else; anything but killing
// actions. Where threads are at the end is left open.
dpn::Query flow_query(const dpn::Network& network, const FlowFact& fact, dpn::Semantics semantics) {
  dpn::QueryStep generate{.positions = {}, .avoiding = {}, .requiring = fact.generating};
  for (dpn::Action action : network.actions().keys())
    if (!std::ranges::count(fact.generating, action)) generate.avoiding.push_back(action);
  return {.form = dpn::QueryForm::Iterate,
          .semantics = semantics,
          .steps = {{}, std::move(generate), {.positions = {}, .avoiding = fact.killing, .requiring = {}}},
          .expected = {},
          .at = {}};
}

// All actions that make it true or false, ascending, without repetition.
std::vector<dpn::Action> concerned_actions(const FlowFact& fact) {
  std::vector<dpn::Action> actions = fact.generating;
  actions.insert(actions.end(), fact.killing.begin(), fact.killing.end());
  std::ranges::sort(actions);
  actions.erase(std::unique(actions.begin(), actions.end()), actions.end());
  return actions;
}

constexpr PhaseIndex generating_phase = 1;

}  // namespace

FlowAnswer reached_points(const dpn::Network& network, const FlowFact& fact, dpn::Semantics semantics, StopToken stop) {
  if (fact.generating.empty()) return {};
  const auto keys = network.stack_symbols().keys();
  LocationsAtEnd places =
      locations_at_end(network, problem_of(flow_query(network, fact, semantics)), {keys.begin(), keys.end()}, stop);
  return {std::move(places.symbols), places.stopped, places.statistics};
}

std::vector<std::vector<std::size_t>> flow_groups(const std::vector<FlowFact>& facts) {
  struct Open {
    std::size_t group;
    std::set<dpn::Action> generating;
  };
  std::map<std::vector<dpn::Action>, Open> open;  // the last group of facts with these actions
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    const auto [at, is_new] = open.try_emplace(concerned_actions(facts[i]));
    Open& last = at->second;
    std::set<dpn::Action> together = last.generating;
    together.insert(facts[i].generating.begin(), facts[i].generating.end());
    if (is_new || together.size() > max_actions) {
      last = {.group = groups.size(), .generating = {facts[i].generating.begin(), facts[i].generating.end()}};
      groups.emplace_back();
    } else {
      last.generating = std::move(together);
    }
    groups[last.group].push_back(i);
  }
  return groups;
}

FlowGroup flow_group(const dpn::Network& network, const std::vector<FlowFact>& group, dpn::Semantics semantics) {
  std::set<dpn::Action> all;
  for (const FlowFact& fact : group) all.insert(fact.generating.begin(), fact.generating.end());
  FlowGroup question{.concerned = concerned_actions(group.front()),
                     .generating = {all.begin(), all.end()},
                     .problem = {},
                     .distinguished = {}};
  FlowFact any = group.front();
  if (group.size() > 1) {
    any = {.name = {}, .generating = question.generating, .killing = question.concerned};
    question.distinguished = generating_phase;
  }
  question.problem = problem_of(flow_query(network, any, semantics));
  return question;
}

std::vector<FlowAnswer> reached_points(const dpn::Network& network, const std::vector<FlowFact>& group,
                                       dpn::Semantics semantics, StopToken stop) {
  if (group.size() == 1) return {reached_points(network, group.front(), semantics, stop)};
  const FlowGroup question = flow_group(network, group, semantics);
  std::vector<FlowAnswer> answers(group.size());
  if (question.generating.empty()) return answers;
  const auto keys = network.stack_symbols().keys();
  const LocationsByAction places =
      locations_at_end_by_action(network, question.problem, *question.distinguished, {keys.begin(), keys.end()}, stop);
  for (std::size_t i = 0; i < group.size(); ++i) {
    std::set<dpn::StackSymbol> points;
    for (std::size_t number = 0; number < question.generating.size(); ++number)
      if (std::ranges::count(group[i].generating, question.generating[number]) > 0)
        points.insert(places.symbols[number].begin(), places.symbols[number].end());
    answers[i] = {{points.begin(), points.end()}, places.stopped, places.statistics};
  }
  return answers;
}

std::vector<dpn::Query> claims_of(const dpn::Network& network, const FlowFact& fact, dpn::Semantics semantics,
                                  const FlowAnswer& answer) {
  std::vector<dpn::Query> claims;
  if (fact.generating.empty()) return claims;
  const auto claim = [&](std::vector<dpn::StackSymbol> points, dpn::Verdict verdict) {
    dpn::Query& query = claims.emplace_back(flow_query(network, fact, semantics));
    query.steps.back().positions.push_back(std::move(points));
    query.expected = verdict;
  };
  for (dpn::StackSymbol point : answer.points) claim({point}, dpn::Verdict::Reachable);
  if (answer.stopped) return claims;
  std::vector<dpn::StackSymbol> others;
  std::ranges::set_difference(network.stack_symbols().keys(), answer.points, std::back_inserter(others));
  if (!others.empty()) claim(std::move(others), dpn::Verdict::Unreachable);
  return claims;
}

std::vector<FlowFact> reaching_definitions(const dpn::Network& network) {
  std::vector<FlowFact> facts;
  for (dpn::Action definition : network.actions().keys()) {
    const auto variable = defined_variable(network.actions().name(definition));
    if (!variable) continue;
    FlowFact fact{.name = std::string{network.actions().shown(definition)}, .generating = {definition}, .killing = {}};
    for (dpn::Action other : network.actions().keys())
      if (other != definition && defined_variable(network.actions().name(other)) == variable)
        fact.killing.push_back(other);
    facts.push_back(std::move(fact));
  }
  return facts;
}

}  // namespace lockwood::solver
