#include <doctest/doctest.h>

#include <limits>
#include <set>

#include "base/ids/random.hpp"
#include "dpn/formats/text_format.hpp"
#include "dpn/generators/lock_program.hpp"
#include "dpn/semantics/explore.hpp"
#include "solver/analyses/dataflow.hpp"
#include "solver/analyses/flows_on_demand.hpp"
#include "solver/analyses/locations_at_end.hpp"
#include "solver/analyses/solve.hpp"
#include "solver/engine/engine.hpp"
#include "tests/oracle/dpn/random_network.hpp"
#include "tests/oracle/solver/random_problem.hpp"

using namespace lockwood;
using namespace lockwood::dpn;
using namespace lockwood::solver;

namespace {

std::optional<std::set<StackSymbol>> points_by_exploration(const Network& network, const FlowFact& fact) {
  std::set<StackSymbol> points;
  QueryStep generate{.requiring = fact.generating};
  for (Action action : network.actions().keys())
    if (!std::ranges::count(fact.generating, action)) generate.avoiding.push_back(action);
  for (StackSymbol point : network.stack_symbols().keys()) {
    const Query query{.form = QueryForm::Iterate,
                      .steps = {{}, generate, {.positions = {{point}}, .avoiding = fact.killing}}};
    const ExploreAnswer answer =
        explore_query(network, query, {.configurations = 2000, .stack_depth = 5, .threads = 3});
    if (answer.verdict == Verdict::Unknown) return std::nullopt;
    if (answer.verdict == Verdict::Reachable) points.insert(point);
  }
  return points;
}

}  // namespace

TEST_CASE("a fact reaches the points that exploration says it reaches") {
  std::size_t compared = 0;
  std::size_t reached = 0;
  for (std::uint64_t seed = 0; seed < 800; ++seed) {
    const Network network = random_network(seed);
    Random random{seed};
    const Action generating{random.below(network.actions().size())};
    const Action killing{random.below(network.actions().size())};
    const FlowFact fact{"fact", {generating}, generating == killing ? std::vector<Action>{} : std::vector{killing}};
    const auto expected = points_by_exploration(network, fact);
    if (!expected) continue;
    const FlowAnswer answer = reached_points(network, fact, Semantics::LockSensitive);
    CAPTURE(seed);
    CAPTURE(to_dpn(network, {}));
    REQUIRE(std::set<StackSymbol>(answer.points.begin(), answer.points.end()) == *expected);
    std::set<StackSymbol> claimed;
    for (const Query& claim : claims_of(network, fact, Semantics::LockSensitive, answer)) {
      const auto& points = claim.steps.back().positions.front();
      claimed.insert(points.begin(), points.end());
      REQUIRE(solve(network, problem_of(claim), {.witness = WitnessChoice::None}).verdict == claim.expected);
    }
    CHECK(claimed.size() == network.stack_symbols().size());
    ++compared;
    reached += expected->size();
  }
  CHECK(compared > 200);
  CHECK(reached > 200);
}

TEST_CASE("places where threads can stand are those that the engine collects, one fact each") {
  std::size_t found = 0;
  std::size_t missed = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    CAPTURE(seed);
    const Network network = seed % 4 != 0
                                ? lock_program(seed, {.threads = 4, .locks = 3, .statements = 3, .nesting = 3})
                                : random_network(seed);
    CAPTURE(to_dpn(network, {}));
    Problem problem = random_problem(network, seed);
    problem.collect.reset();
    const auto keys = network.stack_symbols().keys();
    std::vector<StackSymbol> asked(keys.begin(), keys.end());
    if (seed % 3 == 0) std::erase_if(asked, [](StackSymbol symbol) { return symbol.index() % 3 == 0; });
    Problem collecting = problem;
    collecting.collect = Collect{{asked}};
    Engine engine{network, collecting};
    (void)engine.run();
    std::set<StackSymbol> expected;
    for (FactId fact : engine.answers()) expected.insert(collected_symbols(engine.facts()[fact].observation).front());
    // By a search alone, by sets alone, and by sets where a search was given up.
    for (const std::size_t max_stages : {std::numeric_limits<std::size_t>::max(), std::size_t{0}, 1 + seed % 20}) {
      CAPTURE(max_stages);
      const LocationsAtEnd places = locations_at_end(network, problem, asked, {}, max_stages);
      REQUIRE(std::set<StackSymbol>(places.symbols.begin(), places.symbols.end()) == expected);
      CHECK(places.symbols.size() == expected.size());
      CHECK(std::ranges::is_sorted(places.symbols));
    }
    found += expected.size();
    missed += asked.size() - expected.size();
  }
  CHECK(found > 1000);
  CHECK(missed > 1000);
}

TEST_CASE("facts that share a run reach the points that each reaches by itself") {
  std::size_t reached = 0;
  std::size_t different = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    CAPTURE(seed);
    const Network network = seed % 3 != 0
                                ? lock_program(seed, {.threads = 4, .locks = 3, .statements = 3, .nesting = 3})
                                : random_network(seed);
    CAPTURE(to_dpn(network, {}));
    Random random{seed};
    std::set<Action> concerned;
    while (concerned.size() < std::min<std::size_t>(2 + seed % 4, network.actions().size()))
      concerned.emplace(random.below(network.actions().size()));
    // Of each action, whether it generates, kills or does both.
    std::vector<FlowFact> facts(2 + seed % 3);
    for (FlowFact& fact : facts)
      for (Action action : concerned) {
        const std::size_t kind = random.below(4);
        if (kind <= 1) fact.generating.push_back(action);
        if (kind >= 1) fact.killing.push_back(action);
      }
    REQUIRE(flow_groups(facts).size() == 1);
    const auto semantics = seed % 5 == 0 ? Semantics::LockInsensitive : Semantics::LockSensitive;
    const auto answers = reached_points(network, facts, semantics);
    REQUIRE(answers.size() == facts.size());
    for (std::size_t i = 0; i < facts.size(); ++i) {
      CAPTURE(i);
      REQUIRE(answers[i].points == reached_points(network, facts[i], semantics).points);
      reached += answers[i].points.size();
      if (answers[i].points != answers[0].points) ++different;
    }
  }
  CHECK(reached > 1000);
  CHECK(different > 100);
}

TEST_CASE("facts on demand reach the points that each reaches by itself with all locks") {
  std::size_t reached = 0;
  std::size_t excluded = 0;  // by locks
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    const Network network = seed % 4 != 0
                                ? lock_program(seed, {.threads = 4, .locks = 4, .statements = 4, .nesting = 3})
                                : random_network(seed);
    CAPTURE(to_dpn(network, {}));
    Random random{seed};
    // Facts about the same actions, which share a group, and facts about any.
    std::vector<FlowFact> facts(3 + seed % 3);
    for (std::size_t i = 0; i < facts.size(); ++i) {
      const Action one{i < 2 ? 0 : random.below(network.actions().size())};
      const Action other{i < 2 ? network.actions().size() - 1 : random.below(network.actions().size())};
      facts[i].generating = {i == 1 ? other : one};
      if (one != other) facts[i].killing = {i == 1 ? one : other};
    }
    std::vector<std::vector<StackSymbol>> expected;
    for (const FlowFact& fact : facts) {
      expected.push_back(reached_points(network, fact, Semantics::LockSensitive).points);
      reached += expected.back().size();
      excluded += reached_points(network, fact, Semantics::LockInsensitive).points.size() - expected.back().size();
    }
    for (const FlowsOnDemandOptions& options :
         {FlowsOnDemandOptions{}, FlowsOnDemandOptions{.random_executions = false},
          FlowsOnDemandOptions{.random_executions = false, .max_choices = 1},
          FlowsOnDemandOptions{.random_executions = false, .max_stages = seed % 30}}) {
      CAPTURE(options.random_executions);
      CAPTURE(options.max_choices);
      FlowsOnDemand flows{network, facts, Semantics::LockSensitive, options};
      for (std::size_t group = 0; group < flows.groups().size(); ++group) {
        const std::vector<FlowAnswer> answers = flows.answers_of(group);
        for (std::size_t i = 0; i < answers.size(); ++i) {
          REQUIRE(answers[i].points == expected[flows.groups()[group][i]]);
          CHECK(!answers[i].stopped);
        }
      }
    }
  }
  CHECK(reached > 1000);
  CHECK(excluded > 100);
}

TEST_CASE("facts on demand that are stopped say so") {
  const Network network = lock_program(1, {.threads = 3, .locks = 2, .statements = 3, .nesting = 2});
  StopSource source;
  source.request(StopReason::Cancelled);
  FlowsOnDemand flows{network, {{"fact", {Action{0}}, {}}}, Semantics::LockSensitive, {.stop = StopToken{source}}};
  CHECK(flows.answers_of(0).front().stopped == StopReason::Cancelled);
}

TEST_CASE("places are told apart by the action that was done, however they are searched for") {
  std::size_t found = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    const Network network = lock_program(seed, {.threads = 4, .locks = 3, .statements = 3, .nesting = 3});
    CAPTURE(to_dpn(network, {}));
    Random random{seed};
    std::set<Action> told;
    while (told.size() < std::min<std::size_t>(3, network.actions().size()))
      told.emplace(random.below(network.actions().size()));
    const auto keys = network.stack_symbols().keys();
    const std::vector<StackSymbol> asked(keys.begin(), keys.end());
    const auto problem_with = [&](const std::set<Action>& required) {
      Problem problem{.semantics = Semantics::LockSensitive, .phases = std::vector<Phase>(3), .collect = {}};
      problem.phases[1].fired = {{required.begin(), required.end()}};
      for (Action action : network.actions().keys())
        if (!required.contains(action)) problem.phases[1].avoiding.push_back(action);
      problem.phases[2].avoiding = {told.begin(), told.end()};
      return problem;
    };
    std::vector<std::vector<StackSymbol>> expected;
    for (Action action : told) {
      Problem collecting = problem_with({action});
      collecting.collect = Collect{{asked}};
      Engine engine{network, collecting};
      (void)engine.run();
      std::set<StackSymbol> places;
      for (FactId fact : engine.answers()) places.insert(collected_symbols(engine.facts()[fact].observation).front());
      expected.emplace_back(places.begin(), places.end());
      found += places.size();
    }
    for (const std::size_t max_stages : {std::numeric_limits<std::size_t>::max(), std::size_t{0}, 1 + seed % 20}) {
      CAPTURE(max_stages);
      REQUIRE(locations_at_end_by_action(network, problem_with(told), 1, asked, {}, max_stages).symbols == expected);
    }
  }
  CHECK(found > 1000);
}

TEST_CASE("facts with the same actions share a run, as many as it can tell apart") {
  std::string rules;
  for (int i = 0; i < 70; ++i) rules += "(a) -- def(x," + std::to_string(i) + ") --> (a)\n";
  const ModelFile file =
      parse_dpn("dpn { initial (a) rules { " + rules + " (a) -- def(y,1) --> (a) (a) -- def(y,2) --> (a) } }", "text");
  std::vector<FlowFact> facts = reaching_definitions(file.network);
  REQUIRE(facts.size() == 72);
  std::rotate(facts.begin(), facts.begin() + 70, facts.end());  // of y first
  FlowFact all{.name = "any", .generating = {}, .killing = {}};
  for (Action action : file.network.actions().keys()) all.generating.push_back(action);
  facts.push_back(all);
  const auto groups = flow_groups(facts);
  REQUIRE(groups.size() == 4);
  CHECK(groups[0] == std::vector<std::size_t>{0, 1});
  CHECK(groups[1].size() == 64);
  CHECK(groups[2].size() == 6);
  CHECK(groups[3] == std::vector<std::size_t>{72});
  for (const auto& group : groups) {
    std::vector<FlowFact> together;
    for (std::size_t i : group) together.push_back(facts[i]);
    for (const FlowAnswer& answer : reached_points(file.network, together, Semantics::LockSensitive))
      CHECK(answer.points.size() == 1);
  }
}

TEST_CASE("a fact that no action generates reaches nothing") {
  const Network network = random_network(1);
  const FlowFact fact{.name = "never", .generating = {}, .killing = {}};
  const FlowAnswer answer = reached_points(network, fact, Semantics::LockSensitive);
  CHECK(answer.points.empty());
  CHECK(claims_of(network, fact, Semantics::LockSensitive, answer).empty());
}

TEST_CASE("reaching definitions group definitions by their variable") {
  const ModelFile file = parse_dpn(R"(dpn { initial (a) rules {
      (a) -- def(x,1) --> (b)  (b) -- def(x,2) --> (c)  (c) -- def(f(y,z)) --> (d)  (d) -- use(x) --> (e) } })",
                                   "text");
  const auto facts = reaching_definitions(file.network);
  REQUIRE(facts.size() == 3);
  CHECK(facts[0].killing == std::vector<Action>{*file.network.actions().find("def(x,2)")});
  CHECK(facts[2].killing.empty());
  const auto reaches = [&](std::size_t i) {
    std::string names;
    for (StackSymbol point : reached_points(file.network, facts[i], Semantics::LockSensitive).points)
      names += file.network.stack_symbols().name(point);
    return names;
  };
  CHECK(reaches(0) == "b");
  CHECK(reaches(1) == "cde");
  CHECK(reaches(2) == "de");
}
