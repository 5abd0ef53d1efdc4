#include <doctest/doctest.h>

#include <algorithm>

#include "dpn/explore.hpp"
#include "dpn/text_format.hpp"
#include "solver/engine.hpp"
#include "solver/problem.hpp"
#include "tests/dpn/random_network.hpp"

using namespace lockwood;
using namespace lockwood::dpn;
using namespace lockwood::solver;

namespace {

struct Tally {
  std::size_t reachable = 0;
  std::size_t unreachable = 0;
  std::size_t undecided = 0;  // by the explorer
};

// The engine's verdict on random queries of random networks is the explorer's, where that one has an opinion.
Tally compare(std::uint64_t first_seed, std::uint64_t last_seed) {
  Tally tally;
  for (std::uint64_t seed = first_seed; seed < last_seed; ++seed) {
    const Network network = random_network(seed);
    const Query query = random_query(network, seed);
    const Problem problem = problem_of(query);
    Engine engine{network, problem};
    const Verdict verdict = engine.run();
    const ExploreAnswer explored =
        explore_query(network, query, {.configurations = 20'000, .stack_depth = 6, .threads = 4});
    CAPTURE(seed);
    CAPTURE(to_dpn(network, {&query, 1}));
    REQUIRE(verdict != Verdict::Unknown);
    if (explored.verdict == Verdict::Unknown) {
      ++tally.undecided;
    } else {
      REQUIRE(verdict == explored.verdict);
      ++(verdict == Verdict::Reachable ? tally.reachable : tally.unreachable);
    }
  }
  return tally;
}

}  // namespace

TEST_CASE("the engine and exhaustive exploration agree on random models") {
  const Tally tally = compare(0, 3000);
  MESSAGE(tally.reachable << " reachable, " << tally.unreachable << " unreachable, " << tally.undecided
                          << " undecided");
  CHECK(tally.reachable > 300);
  CHECK(tally.unreachable > 300);
}

TEST_CASE("[full] the engine and exhaustive exploration agree on twenty thousand random models") {
  const Tally tally = compare(3000, 23'000);
  MESSAGE(tally.reachable << " reachable, " << tally.unreachable << " unreachable, " << tally.undecided
                          << " undecided");
}
