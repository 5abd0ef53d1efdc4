// Frontiers that are divided among threads: here every frontier counts as large, and every fact is a piece of its own.
#include <doctest/doctest.h>

#include <tuple>

#include "dpn/formats/text_format.hpp"
#include "dpn/generators/generate.hpp"
#include "dpn/generators/lock_program.hpp"
#include "dpn/generators/random_query.hpp"
#include "solver/engine/engine.hpp"
#include "solver/proofs/certificate.hpp"
#include "tests/oracle/dpn/random_network.hpp"
#include "tests/oracle/solver/random_problem.hpp"

using namespace lockwood;
using namespace lockwood::dpn;
using namespace lockwood::solver;

namespace {

struct Tally {
  std::size_t reachable = 0;
  std::size_t unreachable = 0;
  std::size_t facts = 0;
};

bool same(const Fact& a, const Fact& b) {
  const auto of_derivation = [](const Derivation& d) { return std::tie(d.step, d.rule, d.left, d.right); };
  return std::tie(a.context, a.outcome, a.observation, a.locks, a.weight) ==
             std::tie(b.context, b.outcome, b.observation, b.locks, b.weight) &&
         of_derivation(a.derivation) == of_derivation(b.derivation);
}

// Not only the verdict: all facts, with their numbers and derivations.
void compare_facts(const Network& network, const Problem& problem, Tally& tally) {
  for (const Objective objective : {Objective::Any, Objective::FewestNodes, Objective::FewestThreads}) {
    Engine alone{network, problem, {.objective = objective}};
    Engine together{network, problem, {.objective = objective, .jobs = 3, .large_frontier = 1}};
    const Verdict verdict = alone.run();
    REQUIRE(together.run() == verdict);
    REQUIRE(alone.answers() == together.answers());
    REQUIRE(alone.contexts().size() == together.contexts().size());
    REQUIRE(alone.facts().size() == together.facts().size());
    for (const FactId id : alone.facts().keys()) REQUIRE(same(alone.facts()[id], together.facts()[id]));
    CHECK(alone.statistics().candidates == together.statistics().candidates);
    ++(verdict == Verdict::Reachable ? tally.reachable : tally.unreachable);
    tally.facts += alone.facts().size();
  }
}

template <class Compare>
void for_random_problems(std::uint64_t first_seed, std::uint64_t last_seed, const Compare& compare) {
  const auto show_and_compare = [&](const Network& network, const Problem& problem) {
    CAPTURE(to_dpn(network, {}));
    CAPTURE(problem_json(network, problem).dump());
    compare(network, problem);
  };
  for (std::uint64_t seed = first_seed; seed < last_seed; ++seed) {
    CAPTURE(seed);
    const Network network = random_network(seed);
    show_and_compare(network, problem_of(random_query(network, seed)));
    const Network program = lock_program(seed);
    show_and_compare(program, problem_of(lock_query(program, seed)));
    Problem problem = random_problem(program, seed);
    problem.collect.reset();
    show_and_compare(program, problem);
  }
}

Tally compare_facts(std::uint64_t first_seed, std::uint64_t last_seed) {
  Tally tally;
  for_random_problems(first_seed, last_seed,
                      [&](const Network& network, const Problem& problem) { compare_facts(network, problem, tally); });
  return tally;
}

}  // namespace

TEST_CASE("threads that share a frontier find the same facts in the same order") {
  const Tally tally = compare_facts(0, 300);
  CHECK(tally.reachable > 300);
  CHECK(tally.unreachable > 300);
  CHECK(tally.facts > 10'000);
}

TEST_CASE("[full] threads that share a frontier find the same facts of many networks in the same order") {
  const Tally tally = compare_facts(300, 4000);
  CHECK(tally.reachable > 3000);
  CHECK(tally.unreachable > 3000);
}

TEST_CASE("what is collected, and what observers see, does not depend on threads") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    const Network program = lock_program(seed);
    Tally tally;
    compare_facts(program, random_problem(program, seed), tally);
    Problem problem = random_problem(program, seed);
    problem.collect.reset();
    compare_facts(program, observed(program, problem, seed), tally);
  }
}
