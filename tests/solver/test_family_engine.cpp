#include <doctest/doctest.h>

#include "dpn/formats/text_format.hpp"
#include "dpn/generators/generate.hpp"
#include "dpn/generators/generate_program.hpp"
#include "dpn/generators/lock_program.hpp"
#include "dpn/generators/random_query.hpp"
#include "solver/analyses/solve.hpp"
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
  std::size_t taken_over = 0;
};

// solve() replays the witness, and throws if it does not replay.
void compare(const Network& network, const Problem& problem, Tally& tally) {
  CAPTURE(to_dpn(network, {}));
  CAPTURE(problem_json(network, problem).dump());
  const Answer expected = solve(network, problem, {.witness = WitnessChoice::None, .domain = DomainChoice::Explicit});
  ++(expected.verdict == Verdict::Reachable ? tally.reachable : tally.unreachable);
  for (const Reductions& reductions : {Reductions{}, Reductions::none()}) {
    const Answer answer = solve(network, problem, {.domain = DomainChoice::Zdd, .reductions = reductions});
    REQUIRE(answer.domain == DomainChoice::Zdd);
    REQUIRE(answer.verdict == expected.verdict);
    CHECK(answer.witness.has_value() == (answer.verdict == Verdict::Reachable));
  }
  // Taken over as soon as two structures are incomparable.
  const Answer answer = solve(network, problem, {.domain = DomainChoice::Auto, .many_structures = 1});
  REQUIRE(answer.verdict == expected.verdict);
  if (answer.domain == DomainChoice::Zdd) ++tally.taken_over;
}

void compare_with_random_problem(const Network& network, std::uint64_t seed, Tally& tally) {
  Problem problem = random_problem(network, seed);
  problem.collect.reset();
  compare(network, problem, tally);
  if (seed % 4 == 0) compare(network, observed(network, problem, seed), tally);
}

Tally compare_all(std::uint64_t first_seed, std::uint64_t last_seed) {
  Tally tally;
  for (std::uint64_t seed = first_seed; seed < last_seed; ++seed) {
    CAPTURE(seed);
    const Network network = random_network(seed);
    compare(network, problem_of(random_query(network, seed)), tally);
    compare_with_random_problem(network, seed, tally);
    const Network program = lock_program(seed);
    for (std::uint64_t i = 0; i < 3; ++i) compare(program, problem_of(lock_query(program, 3 * seed + i)), tally);
    compare_with_random_problem(program, seed, tally);
  }
  return tally;
}

}  // namespace

TEST_CASE("verdicts are the same with structures one by one and in families") {
  const Tally tally = compare_all(0, 400);
  CHECK(tally.reachable > 300);
  CHECK(tally.unreachable > 300);
  CHECK(tally.taken_over > 50);
}

TEST_CASE("[full] many verdicts are the same with structures one by one and in families") { compare_all(400, 5000); }

TEST_CASE("verdicts about programs are the same with structures one by one and in families") {
  Tally tally;
  for (std::uint64_t seed = 0; seed < 25; ++seed) {
    CAPTURE(seed);
    const ModelFile model = generate_program({.procedures = 4 + seed % 5,
                                              .rules = 100,
                                              .locks = seed % 4,
                                              .nesting = 3,
                                              .spawns = 2,
                                              .variables = 2,
                                              .seed = seed});
    for (const Query& query : model.queries) compare(model.network, problem_of(query), tally);
    compare(model.network, problem_of(random_query(model.network, QueryShape{.steps = 2}, seed)), tally);
  }
}

TEST_CASE("choices between two locks, over and over, are decided in families") {
  for (const std::int64_t n : {1, 5, 24}) {
    CAPTURE(n);
    const ModelFile model = generate(family_named("choices"), std::vector<ParameterValue>{{"n", n}});
    for (const Query& query : model.queries) {
      const Answer answer = solve(model.network, problem_of(query));
      CHECK(answer.verdict == query.expected);
      CHECK(answer.witness.has_value() == (answer.verdict == Verdict::Reachable));
      const bool wide = n == 24 && query.semantics == Semantics::LockSensitive;
      CHECK((answer.domain == DomainChoice::Zdd) == wide);
      if (wide) CHECK(answer.statistics.widest_antichain == std::size_t{1} << 24U);
    }
  }
}
