#include <doctest/doctest.h>

#include <optional>
#include <ostream>

#include "dpn/explore.hpp"
#include "dpn/fewest_switches.hpp"
#include "dpn/lock_program.hpp"
#include "dpn/shrink.hpp"
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

constexpr ExploreBounds bounds{.configurations = 20'000, .stack_depth = 6, .threads = 4};

struct Opinions {
  std::optional<Verdict> engine;  // none: its witness does not replay
  Verdict explorer;
  [[nodiscard]] bool differ() const {
    if (!engine || *engine == Verdict::Unknown) return true;
    return explorer != Verdict::Unknown && *engine != explorer;
  }
};

Opinions opinions(const Network& network, const Query& query) {
  Opinions opinions{std::nullopt, explore_query(network, query, bounds).verdict};
  try {
    opinions.engine = solve(network, problem_of(query)).verdict;
  } catch (const BrokenAnswer&) {
    opinions.engine.reset();
  }
  return opinions;
}

// The engine's verdict is the explorer's, where that one has an opinion; a model on which it is not is shrunk.
void compare(const Network& network, const Query& query, Tally& tally) {
  const Opinions given = opinions(network, query);
  if (given.differ()) {
    const Shrunk small = shrunk(network, query, [](const Network& candidate, const Query& question) {
      return opinions(candidate, question).differ();
    });
    FAIL_CHECK("the engine and the explorer disagree on\n", to_dpn(small.network, {&small.query, 1}));
    return;
  }
  if (given.explorer == Verdict::Unknown) {
    ++tally.undecided;
    return;
  }
  const Verdict verdict = given.explorer;
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
  const Tally networks = compare_random_networks(1500, 11'500);
  MESSAGE(networks);
  CHECK(networks.reachable > 2000);
  CHECK(networks.unreachable > 2000);
  const Tally programs = compare_lock_programs(500, 9500);
  MESSAGE(programs);
  CHECK(programs.reachable > 5000);
  CHECK(programs.because_of_locks > 2000);
}

TEST_CASE("a witness with the fewest switches replays and has no more of them than the smallest one") {
  std::size_t fewer = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    const Network network = lock_program(seed);
    const Problem problem = problem_of(lock_query(network, seed));
    const Answer smallest = solve(network, problem);
    if (!smallest.witness) continue;
    const Answer chosen = solve(network, problem, {.witness = WitnessChoice::FewestSwitches});
    REQUIRE(chosen.witness.has_value());
    CHECK(chosen.witness->fewest_switches);
    CHECK(chosen.witness->tree == smallest.witness->tree);
    CHECK(switches(chosen.witness->schedule) <= switches(smallest.witness->schedule));
    if (switches(chosen.witness->schedule) < switches(smallest.witness->schedule)) ++fewer;
  }
  CHECK(fewer > 0);
}
