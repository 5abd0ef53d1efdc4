#include <doctest/doctest.h>

#include <algorithm>

#include "base/ids/random.hpp"
#include "dpn/formats/text_format.hpp"
#include "dpn/generators/lock_program.hpp"
#include "dpn/semantics/explore.hpp"
#include "solver/analyses/solve.hpp"
#include "solver/query/query_problem.hpp"
#include "tests/oracle/dpn/random_network.hpp"

// Equal goals of a phase are one goal with a number. The slow twin tells them apart.
namespace lockwood::solver {
namespace {

// One or two phases, in which the same few sets are asked for again and again.
dpn::Query repeating_query(const dpn::Network& network, std::uint64_t seed) {
  Random random{seed};
  const auto symbol = [&] { return dpn::StackSymbol{random.below(network.stack_symbols().size())}; };
  const auto set = [&] { return std::vector<dpn::StackSymbol>{symbol(), symbol(), symbol()}; };
  dpn::Query query{.form = dpn::QueryForm::Iterate};
  const std::size_t phases = 1 + random.below(2);
  for (std::size_t phase = 0; phase < phases; ++phase) {
    dpn::QueryStep step;
    const std::vector<dpn::StackSymbol> often = set();
    for (std::size_t copy = 1 + random.below(3); copy > 0; --copy) step.positions.push_back(often);
    if (random.below(2) == 0) step.positions.push_back(set());
    if (random.below(2) == 0) step.positions.push_back({often.rbegin(), often.rend()});  // equal, in another order
    query.steps.push_back(std::move(step));
  }
  return query;
}

// What the smallest witness has least of. Cuts weigh nothing.
std::size_t nodes_but_cuts(const dpn::ExecutionTree& tree) {
  return static_cast<std::size_t>(
      std::ranges::count_if(tree.nodes(), [&](dpn::NodeId node) { return tree.kind(node) != dpn::NodeKind::Cut; }));
}

struct Tally {
  std::size_t reachable = 0;
  std::size_t unreachable = 0;
};

void compare(const dpn::Network& network, std::uint64_t seed, Tally& tally) {
  const dpn::Query query = repeating_query(network, seed);
  const Problem problem = problem_of(query);
  CAPTURE(seed);
  CAPTURE(dpn::to_dpn(network, {&query, 1}));
  Reductions told_apart;
  told_apart.goals = false;
  const Answer apart = solve(network, problem, {.reductions = told_apart});
  REQUIRE(apart.verdict != dpn::Verdict::Unknown);
  for (const DomainChoice domain : {DomainChoice::Explicit, DomainChoice::Zdd}) {
    if (domain == DomainChoice::Zdd && seed % 8 != 0) continue;  // which takes its time
    const Answer counted = solve(network, problem, {.domain = domain});
    CHECK(counted.verdict == apart.verdict);
    if (apart.witness && domain == DomainChoice::Explicit) {
      REQUIRE(counted.witness);
      CHECK(nodes_but_cuts(counted.witness->tree) == nodes_but_cuts(apart.witness->tree));
    }
  }
  const dpn::ExploreBounds bounds{.configurations = 1'000, .stack_depth = 5, .threads = 5};
  const dpn::Verdict explored = dpn::explore_query(network, query, bounds).verdict;
  if (explored != dpn::Verdict::Unknown) CHECK(explored == apart.verdict);
  ++(apart.verdict == dpn::Verdict::Reachable ? tally.reachable : tally.unreachable);
}

Tally compare_many(std::uint64_t first_seed, std::uint64_t last_seed) {
  Tally tally;
  for (std::uint64_t seed = first_seed; seed < last_seed; ++seed) {
    compare(dpn::lock_program(seed), seed, tally);
    compare(dpn::random_network(seed), seed, tally);
  }
  MESSAGE(tally.reachable << " reachable, " << tally.unreachable << " unreachable");
  return tally;
}

TEST_CASE("equal goals that are counted have the verdicts of goals that are told apart") {
  const Tally tally = compare_many(0, 40);
  CHECK(tally.reachable > 10);
  CHECK(tally.unreachable > 10);
}

TEST_CASE("[full] equal goals that are counted have the verdicts of goals that are told apart, on many models") {
  const Tally tally = compare_many(40, 1040);
  CHECK(tally.reachable > 300);
  CHECK(tally.unreachable > 300);
}

TEST_CASE("many equal goals cost little more than few") {
  const dpn::ModelFile model = dpn::parse_dpn(R"(dpn { initial (m) rules {
    (m) -- s --> (m :> t)
    (t) -- a - x --> (u, v)
    (u) -- b --> (w)
  } })",
                                              "model");
  const auto facts_for = [&](std::size_t goals, const char* set, dpn::Verdict expected) {
    std::string text = "iterate ";
    for (std::size_t i = 0; i < goals; ++i) text += std::string{i == 0 ? "" : " and "} + set;
    const auto queries = dpn::parse_queries(model.network, text, "query");
    const Answer answer = solve(model.network, problem_of(queries.front()), {.witness = WitnessChoice::None});
    CHECK(answer.verdict == expected);
    return answer.statistics.facts;
  };
  for (const char* set : {"{t}", "{t u}", "{m t}"}) {
    CHECK(facts_for(40, set, dpn::Verdict::Reachable) < 1000);
    CHECK(facts_for(64, set, dpn::Verdict::Reachable) < 2000);
  }
  CHECK(facts_for(30, "{u w}", dpn::Verdict::Unreachable) < 1000);  // only one of them has x
}

}  // namespace
}  // namespace lockwood::solver
