#include "solver/dataflow.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "solver/standing_places.hpp"

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
// actions. Where threads stand at the end is left open.
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

}  // namespace

FlowAnswer reached_points(const dpn::Network& network, const FlowFact& fact, dpn::Semantics semantics, StopToken stop) {
  if (fact.generating.empty()) return {};
  const auto keys = network.stacks().keys();
  StandingPlaces places =
      standing_places(network, problem_of(flow_query(network, fact, semantics)), {keys.begin(), keys.end()}, stop);
  return {std::move(places.symbols), places.stopped, places.statistics};
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
  std::ranges::set_difference(network.stacks().keys(), answer.points, std::back_inserter(others));
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
