#include <doctest/doctest.h>

#include "dpn/formats/text_format.hpp"
#include "solver/analyses/batch.hpp"
#include "solver/analyses/mhp.hpp"
#include "solver/analyses/replay_sample.hpp"
#include "solver/analyses/solve.hpp"
#include "solver/query/query_problem.hpp"
#include "tests/oracle/wide_model.hpp"

using namespace lockwood;
using namespace lockwood::dpn;
using namespace lockwood::solver;

namespace {

// Both threads take x: m2 and t1 are never occupied at the same time.
ModelFile two_threads() {
  return parse_dpn(R"(
    dpn { initial (m0) rules {
      (m0) -- a --> (m1 :> t0)   (m1) -- a - x --> (m2, m3)   (t0) -- a - x --> (t1, t2)   (t1) -- a --> ()
    } }
    conflict {m1} {t1}
    conflict {m2} {t1})",
                   "two-threads.dpn");
}

}  // namespace

TEST_CASE("the first reachable answer without a witness is replayed, in every domain, and no witness is given away") {
  const ModelFile model = two_threads();
  for (const DomainChoice domain : {DomainChoice::Explicit, DomainChoice::Zdd}) {
    ReplaySample sample{1};
    const SolveOptions options{.witness = WitnessChoice::None, .domain = domain, .sample = &sample};
    CHECK(solve(model.network, problem_of(model.queries[1]), options).verdict == Verdict::Unreachable);
    CHECK(sample.replayed() == 0);
    const Answer answer = solve(model.network, problem_of(model.queries[0]), options);
    CHECK(answer.verdict == Verdict::Reachable);
    CHECK_FALSE(answer.witness.has_value());
    CHECK_FALSE(answer.large_witness.has_value());
    CHECK(sample.replayed() == 1);
  }
}

TEST_CASE("after the first, some answers are replayed, and the same ones for the same seed") {
  const ModelFile model = two_threads();
  const auto replayed = [&](std::uint64_t seed) {
    ReplaySample sample{seed};
    for (std::size_t i = 0; i < 640; ++i)
      (void)solve(model.network, problem_of(model.queries[0]), {.witness = WitnessChoice::None, .sample = &sample});
    return sample.replayed();
  };
  CHECK(replayed(1) > 5);
  CHECK(replayed(1) < 80);
  CHECK(replayed(1) == replayed(1));
}

TEST_CASE("a witness above the limit is not replayed, and the next answer is drawn instead") {
  const ModelFile model = two_threads();
  ReplaySample sample{1};
  const Problem problem = problem_of(model.queries[0]);
  (void)solve(model.network, problem, {.witness = WitnessChoice::None, .witness_limit = 1, .sample = &sample});
  CHECK(sample.replayed() == 0);
  (void)solve(model.network, problem, {.witness = WitnessChoice::None, .sample = &sample});
  CHECK(sample.replayed() == 1);
}

TEST_CASE("what is called reachable and is not is refused") {
  const ModelFile model = two_threads();
  ReplaySample sample{1};
  CHECK_THROWS_AS(replay_again(model.network, problem_of(model.queries[1]), {}, sample), BrokenAnswer);
  MhpAnswer wrong;
  wrong.pairs = {{*model.network.stack_symbols().find("m2"), *model.network.stack_symbols().find("t1")}};
  CHECK_THROWS_AS(replay_some(model.network, {}, wrong, sample), BrokenAnswer);
  CHECK(sample.replayed() == 0);
}

TEST_CASE("some parallel pairs of every model are replayed") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    const Network network = oracle::wide_network(seed);
    const MhpAnswer answer = parallel_pairs(network);
    ReplaySample sample{seed};
    replay_some(network, {}, answer, sample);
    CHECK(sample.replayed() == std::min<std::size_t>(4, answer.pairs.size()));
  }
}
