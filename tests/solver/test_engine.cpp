#include <doctest/doctest.h>

#include <optional>
#include <ostream>

#include "base/text/json.hpp"
#include "dpn/formats/text_format.hpp"
#include "dpn/generators/lock_program.hpp"
#include "dpn/semantics/explore.hpp"
#include "dpn/trees/fewest_switches.hpp"
#include "solver/analyses/solve.hpp"
#include "solver/query/query_problem.hpp"
#include "tests/oracle/dpn/random_network.hpp"
#include "tests/oracle/solver/shrunk_error.hpp"
#include "verify/verify.hpp"

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

enum class Proof { Checked, NotChecked };

constexpr ExploreBounds bounds{.configurations = 20'000, .stack_depth = 6, .threads = 4};

// What is wrong with what the engine says: of what is reachable the witness was replayed, of what is not, the
// certificate is checked.
std::optional<std::string> flaw_of_engine(const Network& network, const Query& query, Proof proof) {
  const Problem problem = problem_of(query);
  const Verdict verdict = solve(network, problem).verdict;
  const Verdict explored = explore_query(network, query, bounds).verdict;
  if (verdict == Verdict::Unknown) return "the engine gives up";
  if (explored != Verdict::Unknown && explored != verdict) return "the engine and the explorer disagree";
  if (verdict == Verdict::Reachable || proof == Proof::NotChecked) return std::nullopt;
  const Answer certified = solve(network, problem, {.certify = true});
  if (certified.verdict != verdict) return "the engine disagrees with itself when nothing is left out";
  return verify::judge(network, certified.certificate->dump(), "certificate").flaw;
}

void compare_with_explorer(const Network& network, const Query& query, Proof proof, Tally& tally) {
  const auto flaw = shrunk_error(network, query, [proof](const Network& candidate, const Query& question) {
    return flaw_of_engine(candidate, question, proof);
  });
  if (flaw) {
    FAIL_CHECK(*flaw);
    return;
  }
  const Verdict verdict = explore_query(network, query, bounds).verdict;
  if (verdict == Verdict::Unknown) {
    ++tally.undecided;
    return;
  }
  ++(verdict == Verdict::Reachable ? tally.reachable : tally.unreachable);
  if (verdict == Verdict::Reachable || query.semantics == Semantics::LockInsensitive) return;
  Query insensitive = query;
  insensitive.semantics = Semantics::LockInsensitive;
  if (solve(network, problem_of(insensitive)).verdict == Verdict::Reachable) ++tally.because_of_locks;
}

Tally compare_random_networks(std::uint64_t first_seed, std::uint64_t last_seed, Proof proof) {
  Tally tally;
  for (std::uint64_t seed = first_seed; seed < last_seed; ++seed) {
    CAPTURE(seed);
    const Network network = random_network(seed, {.locks = 3 + seed % 2});
    compare_with_explorer(network, random_query(network, seed), proof, tally);
  }
  return tally;
}

Tally compare_lock_programs(std::uint64_t first_seed, std::uint64_t last_seed, Proof proof) {
  Tally tally;
  for (std::uint64_t seed = first_seed; seed < last_seed; ++seed) {
    CAPTURE(seed);
    const Network network = lock_program(seed, {.locks = 2 + seed % 3});
    for (std::uint64_t i = 0; i < 4; ++i)
      compare_with_explorer(network, lock_query(network, 4 * seed + i), proof, tally);
  }
  return tally;
}

}  // namespace

TEST_CASE("the engine and exhaustive exploration agree on random networks") {
  const Tally tally = compare_random_networks(0, 1500, Proof::NotChecked);
  MESSAGE(tally);
  CHECK(tally.reachable > 300);
  CHECK(tally.unreachable > 300);
}

TEST_CASE("the engine and exhaustive exploration agree on programs with locks") {
  const Tally tally = compare_lock_programs(0, 500, Proof::NotChecked);
  MESSAGE(tally);
  CHECK(tally.reachable > 300);
  CHECK(tally.because_of_locks > 100);
}

TEST_CASE("[full] the engine and exhaustive exploration agree on many models, and every answer is proved") {
  const Tally networks = compare_random_networks(1500, 11'500, Proof::Checked);
  MESSAGE(networks);
  CHECK(networks.reachable > 2000);
  CHECK(networks.unreachable > 2000);
  const Tally programs = compare_lock_programs(500, 9500, Proof::Checked);
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
