// The engine on models with groups and joins (docs/theory.md, Sect. 10).
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <set>

#include "base/process/text_file.hpp"
#include "dpn/formats/text_format.hpp"
#include "dpn/semantics/explore.hpp"
#include "solver/analyses/dataflow.hpp"
#include "solver/analyses/flows_on_demand.hpp"
#include "solver/analyses/mhp.hpp"
#include "solver/analyses/solve.hpp"
#include "solver/query/query_problem.hpp"
#include "tests/oracle/joins.hpp"
#include "tests/oracle/ways_to_solve.hpp"

using namespace lockwood;
using namespace lockwood::dpn;
using namespace lockwood::solver;

namespace {

constexpr ExploreBounds bounds{.configurations = 4'000, .stack_depth = 6, .threads = 6};

oracle::JoinTally compare(std::uint64_t first_seed, std::uint64_t last_seed) {
  oracle::JoinTally tally;
  for (std::uint64_t seed = first_seed; seed < last_seed; ++seed) {
    CAPTURE(seed);
    const Network network = oracle::network_with_joins(seed);
    for (std::uint64_t i = 0; i < 2; ++i) {
      const Query query = oracle::query_with_joins(network, 2 * seed + i);
      if (const auto flaw = oracle::wrong_answer_with_joins(network, query, 2 * seed + i, tally)) FAIL_CHECK(*flaw);
    }
  }
  return tally;
}

}  // namespace

TEST_CASE("the engine gives every verdict that models/joins expects, whatever is left out") {
  std::size_t verdicts = 0;
  for (const auto& entry : std::filesystem::directory_iterator{LOCKWOOD_SOURCE_DIR "/models/joins"}) {
    if (entry.path().extension() != ".dpn") continue;
    CAPTURE(entry.path().filename().string());
    const ModelFile file = parse_dpn(read_text_file(entry.path().string()), entry.path().filename().string());
    for (const Query& query : file.queries) {
      CAPTURE(to_text(file.network, query));
      REQUIRE(query.expected.has_value());
      for (const oracle::Way& way : oracle::ways_to_solve(verdicts)) {
        CAPTURE(way.name);
        CHECK(solve(file.network, problem_of(query), way.options).verdict == *query.expected);
        ++verdicts;
      }
    }
  }
  CHECK(verdicts > 500);
}

TEST_CASE("the engine and exhaustive exploration agree on models with joins, and witnesses replay") {
  const oracle::JoinTally tally = compare(0, 800);
  MESSAGE(tally);
  CHECK(tally.reachable > 500);
  CHECK(tally.symbolic > 500);
  // Of each kind one query in 20, or nearly.
  CHECK(25 * (tally.because_of_joins - tally.because_of_both) > tally.decided());
  CHECK(20 * tally.because_of_both > tally.decided());
  CHECK(20 * tally.because_of_phases > tally.decided());
  CHECK(tally.several_phases > 500);
}

TEST_CASE("[full] the engine and exhaustive exploration agree on many models with joins") {
  const oracle::JoinTally tally = compare(10'000, 30'000);
  MESSAGE(tally);
  CHECK(tally.because_of_both > 100);
}

TEST_CASE("pairs that may happen in parallel are those of single questions, with joins") {
  std::size_t pairs = 0;
  std::size_t excluded = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    const Network network = oracle::network_with_joins(seed);
    const MhpAnswer answer = parallel_pairs(network);
    REQUIRE(!answer.stopped);
    const std::vector<Query> claims = claims_of(network, {}, answer);
    const std::size_t stride = 1 + claims.size() / 12;  // exploration takes time
    for (std::size_t i = seed % stride; i < claims.size(); i += stride) {
      const Query& claim = claims[i];
      CAPTURE(to_text(network, claim));
      const Verdict explored = explore_query(network, claim, bounds).verdict;
      if (explored != Verdict::Unknown) CHECK(explored == *claim.expected);
      ++(*claim.expected == Verdict::Reachable ? pairs : excluded);
    }
  }
  CHECK(pairs > 50);
  CHECK(excluded > 50);
}

TEST_CASE("data flow with joins is what exploration finds") {
  std::size_t reached = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    CAPTURE(seed);
    const Network network = oracle::network_with_joins(seed);
    const Action generating{seed % network.actions().size()};
    const Action killing{(seed + 1) % network.actions().size()};
    const FlowFact fact{.name = "f", .generating = {generating}, .killing = {killing}};
    const FlowAnswer answer = reached_points(network, fact, Semantics::LockSensitive);
    for (const bool random_executions : {true, false}) {
      FlowsOnDemand flows{network, {fact}, Semantics::LockSensitive, {.random_executions = random_executions}};
      CHECK(flows.answers_of(0).front().points == answer.points);
    }
    const std::vector<Query> claims = claims_of(network, fact, Semantics::LockSensitive, answer);
    const std::size_t stride = 1 + claims.size() / 12;
    for (std::size_t i = seed % stride; i < claims.size(); i += stride) {
      const Query& claim = claims[i];
      CAPTURE(to_text(network, claim));
      const Verdict explored = explore_query(network, claim, bounds).verdict;
      if (explored != Verdict::Unknown) CHECK(explored == *claim.expected);
    }
    reached += answer.points.size();
  }
  CHECK(reached > 60);
}
