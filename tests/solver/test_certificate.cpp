#include <doctest/doctest.h>

#include <algorithm>

#include "base/diagnostic.hpp"
#include "dpn/schedule.hpp"
#include "dpn/text_format.hpp"
#include "frontend/verify/verify.hpp"
#include "solver/certificate.hpp"
#include "solver/engine.hpp"
#include "solver/witness.hpp"
#include "tests/dpn/random_network.hpp"
#include "tests/solver/random_problem.hpp"

using namespace lockwood;
using namespace lockwood::dpn;
using namespace lockwood::solver;

namespace {

struct Tally {
  std::size_t certificates = 0;
  std::size_t witnesses = 0;
};

// Every unreachable verdict has a certificate that is accepted, every reachable one a witness that is.
Tally verify_all(std::uint64_t first_seed, std::uint64_t last_seed, const RandomNetworkSizes& sizes = {}) {
  Tally tally;
  for (std::uint64_t seed = first_seed; seed < last_seed; ++seed) {
    const Network network = random_network(seed, sizes);
    const Problem problem = random_problem(network, seed);
    Engine engine{network, problem};
    const Verdict verdict = engine.run();
    CAPTURE(seed);
    CAPTURE(to_dpn(network, {}));
    CAPTURE(problem_json(network, problem).dump());
    REQUIRE(verdict != Verdict::Unknown);
    if (verdict == Verdict::Unreachable || problem.collect) {
      const auto judgement = verify::judge(network, certificate(network, problem, engine).dump(), "certificate");
      REQUIRE(judgement.claim == "unreachable");
      REQUIRE_MESSAGE(!judgement.flaw, *judgement.flaw);
      ++tally.certificates;
    }
    for (FactId fact : engine.answers()) {
      const auto schedule = schedule_of(network, witness_tree(network, engine, fact), problem.semantics);
      REQUIRE(schedule);
      const auto answer = collected_symbols(engine.facts()[fact].observation);
      const auto judgement = verify::judge(network, witness(network, problem, *schedule, answer).dump(), "witness");
      REQUIRE(judgement.claim == "reachable");
      REQUIRE_MESSAGE(!judgement.flaw, *judgement.flaw);
      ++tally.witnesses;
    }
  }
  return tally;
}

}  // namespace

TEST_CASE("every verdict on random problems has a certificate or witnesses that are accepted") {
  const Tally tally = verify_all(0, 3000);
  MESSAGE(tally.certificates << " certificates, " << tally.witnesses << " witnesses");
  CHECK(tally.certificates > 1000);
  CHECK(tally.witnesses > 1000);
}
