#include <doctest/doctest.h>

#include <filesystem>
#include <ostream>
#include <set>

#include "base/process/text_file.hpp"
#include "dpn/formats/text_format.hpp"
#include "dpn/generators/lock_program.hpp"
#include "dpn/semantics/explore.hpp"
#include "solver/analyses/solve.hpp"
#include "solver/construction/decide.hpp"
#include "solver/query/query_problem.hpp"
#include "tests/oracle/dpn/random_network.hpp"
#include "tests/oracle/solver/shrunk_error.hpp"

using namespace lockwood;
using namespace lockwood::dpn;
using namespace lockwood::solver;

namespace {

struct Tally {
  std::size_t reachable = 0;
  std::size_t unreachable = 0;
  std::size_t explored = 0;  // the explorer had an opinion
};

std::ostream& operator<<(std::ostream& out, const Tally& tally) {
  return out << tally.reachable << " reachable, " << tally.unreachable << " unreachable, " << tally.explored
             << " of them explored";
}

Verdict explored(const Network& network, const Query& query) {
  return explore_query(network, query, {.configurations = 3'000, .stack_depth = 5, .threads = 4}).verdict;
}

std::optional<std::string> disagreement(const Network& network, const Query& query) {
  const Verdict verdict = solver::reference::decide(network, query);
  if (verdict == Verdict::Unknown) return "the reference construction gives up";
  if (solve(network, problem_of(query)).verdict != verdict) return "the reference construction and the engine disagree";
  const Verdict found = explored(network, query);
  if (found != Verdict::Unknown && found != verdict) return "the reference construction and the explorer disagree";
  return std::nullopt;
}

void compare(const Network& network, const Query& query, Tally& tally) {
  const auto flaw = shrunk_error(network, query, disagreement);
  REQUIRE_MESSAGE(!flaw, *flaw);
  ++(solve(network, problem_of(query)).verdict == Verdict::Reachable ? tally.reachable : tally.unreachable);
  if (explored(network, query) != Verdict::Unknown) ++tally.explored;
}

// The sets of trees of some networks with much spawning take minutes when there are three steps with three threads to
// find in each; such queries are cut down.
Query bounded(Query query) {
  if (query.steps.size() > 2) query.steps.resize(2);
  for (QueryStep& step : query.steps)
    if (step.positions.size() > 2) step.positions.resize(2);
  return query;
}

Tally compare_random_networks(std::uint64_t first_seed, std::uint64_t last_seed) {
  Tally tally;
  for (std::uint64_t seed = first_seed; seed < last_seed; ++seed) {
    CAPTURE(seed);
    const Network network = random_network(seed, {.controls = 2, .stacks = 4, .locks = 2, .actions = 2, .rules = 7});
    compare(network, bounded(random_query(network, seed)), tally);
  }
  return tally;
}

Tally compare_lock_programs(std::uint64_t first_seed, std::uint64_t last_seed) {
  Tally tally;
  for (std::uint64_t seed = first_seed; seed < last_seed; ++seed) {
    CAPTURE(seed);
    const Network network = lock_program(seed);
    compare(network, seed % 4 == 0 ? lock_query(network, seed) : bounded(lock_query(network, seed)), tally);
  }
  return tally;
}

}  // namespace

TEST_CASE("the reference construction, the engine and exploration agree on random networks") {
  const Tally tally = compare_random_networks(0, 1500);
  MESSAGE(tally);
  CHECK(tally.reachable > 300);
  CHECK(tally.unreachable > 300);
}

TEST_CASE("the reference construction, the engine and exploration agree on programs with locks") {
  const Tally tally = compare_lock_programs(0, 400);
  MESSAGE(tally);
  CHECK(tally.reachable > 100);
  CHECK(tally.unreachable > 100);
}

TEST_CASE("[full] the reference construction, the engine and exploration agree on thousands of models") {
  MESSAGE(compare_random_networks(1500, 6000));
  MESSAGE(compare_lock_programs(400, 2000));
}

TEST_CASE("the reference construction gives the verdicts that models/ expects") {
  std::size_t queries = 0;
  std::set<std::filesystem::path> files;
  for (const char* folder : {LOCKWOOD_SOURCE_DIR "/models", LOCKWOOD_SOURCE_DIR "/models/joins"})
    for (const auto& entry : std::filesystem::directory_iterator{folder})
      if (entry.path().extension() == ".dpn") files.insert(entry.path());
  for (const auto& path : files) {
    const ModelFile file = parse_dpn(read_text_file(path), path.filename().string());
    if (file.network.rules().size() > 30) continue;  // small models only
    for (const Query& query : file.queries) {
      CAPTURE(path.filename().string());
      CAPTURE(to_text(file.network, query));
      CHECK(to_string(solver::reference::decide(file.network, query)) == to_string(*query.expected));
      ++queries;
    }
  }
  CHECK(queries > 50);
}

TEST_CASE("the reference construction stops when asked to") {
  const Network network = lock_program(1);
  StopSource source;
  source.request(StopReason::Cancelled);
  CHECK(solver::reference::decide(network, lock_query(network, 1), StopToken{source}) == Verdict::Unknown);
}
