// The paper's automata on models with groups and joins: a second opinion on the engine, with none of its code.
#include <doctest/doctest.h>

#include <ostream>
#include <string>

#include "dpn/formats/text_format.hpp"
#include "dpn/semantics/explore.hpp"
#include "solver/analyses/solve.hpp"
#include "solver/construction/decide.hpp"
#include "solver/query/query_problem.hpp"
#include "tests/oracle/dpn/random_joins.hpp"
#include "tests/oracle/dpn/random_network.hpp"
#include "tests/oracle/joins.hpp"
#include "tests/oracle/solver/shrunk_error.hpp"

using namespace lockwood;
using namespace lockwood::dpn;
using namespace lockwood::solver;

namespace {

// The sets of trees of most small models are small; those of some are not, and are left out.
constexpr std::size_t max_states = 3'000;

struct Tally {
  std::size_t reachable = 0;
  std::size_t unreachable = 0;
  std::size_t by_joins = 0;            // unreachable, and reachable if joins do not wait
  std::size_t by_joins_and_locks = 0;  // of these: reachable if locks do not count, too
  std::size_t several_phases = 0;
  std::size_t explored = 0;
  std::size_t too_large = 0;
};

std::ostream& operator<<(std::ostream& out, const Tally& tally) {
  return out << tally.reachable << " reachable, " << tally.unreachable << " unreachable, " << tally.by_joins
             << " by joins, " << tally.by_joins_and_locks << " by joins and locks together, " << tally.several_phases
             << " of several phases, " << tally.explored << " explored, " << tally.too_large << " too large";
}

Verdict explored(const Network& network, const Query& query) {
  return explore_query(network, query, {.configurations = 3'000, .stack_depth = 5, .threads = 5}).verdict;
}

Verdict decided(const Network& network, const Query& query) {
  const StopSource never;
  return solver::reference::decide(network, query, StopToken{never}.with_state_limit(max_states));
}

std::optional<std::string> disagreement(const Network& network, const Query& query) {
  const Verdict verdict = decided(network, query);
  if (verdict == Verdict::Unknown) return std::nullopt;
  if (solve(network, problem_of(query)).verdict != verdict) return "the construction and the engine disagree";
  const Verdict found = explored(network, query);
  if (found != Verdict::Unknown && found != verdict) return "the construction and the explorer disagree";
  return std::nullopt;
}

Network small_network(std::uint64_t seed) {
  switch (seed % 4) {
    case 0:
      return random_network(seed, {.controls = 2, .stacks = 5, .locks = 2, .actions = 2, .rules = 9, .groups = 1});
    case 1: return random_joins(seed, {.bodies = 2, .items = 2, .locks = 2, .groups = 1, .held_joins = 50});
    case 2: return random_joins(seed, {.bodies = 2, .items = 3, .locks = 1, .groups = 2});
    default: return random_joins(seed, {.bodies = 3, .items = 2, .locks = 2, .groups = 1, .recursive = seed % 8 == 3});
  }
}

// Three steps, or three threads, can take minutes.
Query bounded(Query query) {
  if (query.steps.size() > 2) query.steps.resize(2);
  for (QueryStep& step : query.steps)
    if (step.positions.size() > 2) step.positions.resize(2);
  return query;
}

Tally compare(std::uint64_t first_seed, std::uint64_t last_seed) {
  Tally tally;
  for (std::uint64_t seed = first_seed; seed < last_seed; ++seed) {
    CAPTURE(seed);
    const Network network = small_network(seed);
    Query query = bounded(oracle::query_with_joins(network, seed));
    const auto error = shrunk_error(network, query, disagreement);
    REQUIRE_MESSAGE(!error, *error);
    const Verdict verdict = decided(network, query);
    if (verdict == Verdict::Unknown) {
      ++tally.too_large;
      continue;
    }
    if (explored(network, query) != Verdict::Unknown) ++tally.explored;
    if (query.steps.size() > 1) ++tally.several_phases;
    ++(verdict == Verdict::Reachable ? tally.reachable : tally.unreachable);
    if (verdict == Verdict::Reachable) continue;
    if (solve(oracle::without_joins(network), problem_of(query)).verdict != Verdict::Reachable) continue;
    ++tally.by_joins;
    query.semantics = Semantics::LockInsensitive;
    if (solve(network, problem_of(query)).verdict == Verdict::Reachable) ++tally.by_joins_and_locks;
  }
  return tally;
}

}  // namespace

TEST_CASE("the construction, the engine and exploration agree on models with joins") {
  const Tally tally = compare(0, 600);
  MESSAGE(tally);
  CHECK(tally.reachable > 150);
  CHECK(tally.unreachable > 150);
  CHECK(tally.by_joins > 30);
  CHECK(tally.by_joins_and_locks > 10);
  CHECK(tally.several_phases > 100);
  CHECK(5 * tally.too_large < tally.reachable + tally.unreachable);
}

// Rare among random models: m holds x at the cut, and o holds y and needs x; t, which uses y, is in a group that only f
// can see, so m does not wait for t. If it did, x and y would wait for each other.
TEST_CASE("members of groups that a call opens are nobody's behind the call, also at a cut") {
  const auto model = [](const std::string& opening) {
    return parse_dpn(
        "dpn { initial (m) rules {\n"
        "(m) -- start --> (m0 :> o) (m0) -- enter - x --> (b0, m9) (b0) -- call --> (f0, b1)" +
            opening +
            "\n(f0) -- start --> (f1 :> t) into {h} (f1) -- ret --> ()\n"
            "(b1) -- join --> (b2) joining {h} (b2) -- leave --> ()\n"
            "(t) -- take - y --> (t1, t2) (t1) -- drop --> () (t2) -- end --> ()\n"
            "(o) -- take - y --> (o1, o9) (o1) -- use - x --> (o2, o3) (o2) -- drop --> () (o3) -- drop --> ()\n"
            "} }\niterate {b1} and {o1} and {t}, {m9} and {o9} and {t2}\niterate {b1} and {o1}, {m9} and {o9} avoiding "
            "{end}",
        "model");
  };
  for (const bool opens : {true, false}) {
    CAPTURE(opens);
    const Verdict verdict = opens ? Verdict::Reachable : Verdict::Unreachable;
    const ModelFile file = model(opens ? " opening {h}" : "");
    CHECK(decided(file.network, file.queries.front()) == verdict);
    CHECK(solve(file.network, problem_of(file.queries.front())).verdict == verdict);
    CHECK(explored(file.network, file.queries.front()) == verdict);
    CHECK(decided(file.network, file.queries.back()) == Verdict::Reachable);  // t has ended when o takes y
    CHECK(explored(file.network, file.queries.back()) == Verdict::Reachable);
  }
}

TEST_CASE("[full] the construction, the engine and exploration agree on thousands of models with joins") {
  MESSAGE(compare(600, 20'000));
}
