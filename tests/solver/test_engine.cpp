#include <doctest/doctest.h>

#include <ostream>

#include "dpn/explore.hpp"
#include "dpn/lock_program.hpp"
#include "dpn/text_format.hpp"
#include "solver/problem.hpp"
#include "solver/solve.hpp"
#include "tests/dpn/random_network.hpp"

using namespace lockwood;
using namespace lockwood::dpn;
using namespace lockwood::solver;

namespace {

struct Tally {
  std::size_t reachable = 0;
  std::size_t unreachable = 0;
  std::size_t because_of_locks = 0;  // of these unreachable only because of locks
  std::size_t undecided = 0;         // by the explorer
};

std::ostream& operator<<(std::ostream& out, const Tally& tally) {
  return out << tally.reachable << " reachable, " << tally.unreachable << " unreachable, " << tally.because_of_locks
             << " of them because of locks, " << tally.undecided << " undecided";
}

// The engine's verdict is the explorer's, where that one has an opinion. Every witness is replayed by `solve`.
void compare(const Network& network, const Query& query, Tally& tally) {
  CAPTURE(to_dpn(network, {&query, 1}));
  const Verdict verdict = solve(network, problem_of(query)).verdict;
  REQUIRE(verdict != Verdict::Unknown);
  const ExploreAnswer explored =
      explore_query(network, query, {.configurations = 20'000, .stack_depth = 6, .threads = 4});
  if (explored.verdict == Verdict::Unknown) {
    ++tally.undecided;
    return;
  }
  REQUIRE(verdict == explored.verdict);
  ++(verdict == Verdict::Reachable ? tally.reachable : tally.unreachable);
  if (verdict == Verdict::Reachable || query.semantics == Semantics::LockInsensitive) return;
  Query insensitive = query;
  insensitive.semantics = Semantics::LockInsensitive;
  if (solve(network, problem_of(insensitive)).verdict == Verdict::Reachable) ++tally.because_of_locks;
}

Tally compare_random_networks(std::uint64_t first_seed, std::uint64_t last_seed) {
  Tally tally;
  for (std::uint64_t seed = first_seed; seed < last_seed; ++seed) {
    CAPTURE(seed);
    const Network network = random_network(seed);
    compare(network, random_query(network, seed), tally);
  }
  return tally;
}

Tally compare_lock_programs(std::uint64_t first_seed, std::uint64_t last_seed) {
  Tally tally;
  for (std::uint64_t seed = first_seed; seed < last_seed; ++seed) {
    CAPTURE(seed);
    const Network network = lock_program(seed);
    for (std::uint64_t i = 0; i < 4; ++i) compare(network, lock_query(network, 4 * seed + i), tally);
  }
  return tally;
}

}  // namespace

TEST_CASE("the engine and exhaustive exploration agree on random networks") {
  const Tally tally = compare_random_networks(0, 1500);
  MESSAGE(tally);
  CHECK(tally.reachable > 300);
  CHECK(tally.unreachable > 300);
}

TEST_CASE("the engine and exhaustive exploration agree on programs with locks") {
  const Tally tally = compare_lock_programs(0, 500);
  MESSAGE(tally);
  CHECK(tally.reachable > 300);
  CHECK(tally.because_of_locks > 100);
}

TEST_CASE("[full] the engine and exhaustive exploration agree on many random networks and programs") {
  MESSAGE(compare_random_networks(1500, 8000));
  MESSAGE(compare_lock_programs(500, 4000));
}
