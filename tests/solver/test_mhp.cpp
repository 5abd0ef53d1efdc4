#include <doctest/doctest.h>

#include <set>

#include "dpn/formats/text_format.hpp"
#include "dpn/generators/generate_mutual.hpp"
#include "dpn/generators/generate_program.hpp"
#include "dpn/generators/lock_program.hpp"
#include "solver/analyses/mhp.hpp"
#include "solver/analyses/solve.hpp"
#include "solver/engine/engine.hpp"
#include "tests/oracle/dpn/random_network.hpp"
#include "tests/oracle/solver/all_configurations.hpp"

using namespace lockwood;
using namespace lockwood::dpn;
using namespace lockwood::solver;

namespace {

std::set<ParallelPair> pairs_by_definition(const std::vector<Configuration>& configurations) {
  std::set<ParallelPair> pairs;
  for (const Configuration& configuration : configurations)
    for (ThreadId a : configuration.threads.keys())
      for (ThreadId b : configuration.threads.keys()) {
        const Thread& first = configuration.threads[a];
        const Thread& second = configuration.threads[b];
        if (a == b || first.ended() || second.ended()) continue;
        pairs.insert({std::min(first.head().top, second.head().top), std::max(first.head().top, second.head().top)});
      }
  return pairs;
}

}  // namespace

TEST_CASE("the pairs that may happen in parallel are those of all configurations") {
  std::size_t compared = 0;
  std::size_t pairs = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const Network network = seed % 2 == 0 ? random_network(seed) : lock_program(seed);
    for (const Semantics semantics : {Semantics::LockSensitive, Semantics::LockInsensitive}) {
      const auto configurations = reference::all_configurations(network, semantics, 500);
      if (!configurations) continue;
      CAPTURE(seed);
      CAPTURE(to_dpn(network, {}));
      const MhpAnswer answer = parallel_pairs(network, {.semantics = semantics});
      const std::set<ParallelPair> expected = pairs_by_definition(*configurations);
      REQUIRE(std::set<ParallelPair>(answer.pairs.begin(), answer.pairs.end()) == expected);
      ++compared;
      pairs += expected.size();
    }
  }
  CHECK(compared > 150);
  CHECK(pairs > 500);
}

TEST_CASE("pairs between two sets are the pairs that have a member in each") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Network network = random_network(seed);
    std::vector<StackSymbol> left;
    std::vector<StackSymbol> right;
    for (StackSymbol symbol : network.stack_symbols().keys()) {
      if (symbol.index() % 3 != 0) left.push_back(symbol);
      if (symbol.index() % 2 != 0) right.push_back(symbol);
    }
    std::vector<ParallelPair> expected;
    const auto in = [](const std::vector<StackSymbol>& set, StackSymbol s) { return std::ranges::count(set, s) > 0; };
    for (const ParallelPair& pair : parallel_pairs(network).pairs)
      if ((in(left, pair.first) && in(right, pair.second)) || (in(left, pair.second) && in(right, pair.first)))
        expected.push_back(pair);
    CAPTURE(seed);
    CHECK(parallel_pairs(network, {.left = left, .right = right}).pairs == expected);
  }
}

TEST_CASE("the pairs are those that the engine collects, one fact each") {
  std::size_t pairs = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    CAPTURE(seed);
    const Network network =
        seed % 4 != 0
            ? lock_program(seed, {.threads = 4, .locks = 3, .statements = 4, .nesting = 4})
            : generate_program(
                  {.procedures = 3, .rules = 40, .locks = 3, .nesting = 3, .spawns = 2, .variables = 0, .seed = seed})
                  .network;
    const auto keys = network.stack_symbols().keys();
    const std::vector<StackSymbol> all(keys.begin(), keys.end());
    const Problem problem{.phases = {Phase{}}, .collect = Collect{{all, all}}};
    Engine engine{network, problem};
    (void)engine.run();
    std::set<ParallelPair> expected;
    for (FactId fact : engine.answers()) {
      const auto symbols = collected_symbols(engine.facts()[fact].observation);
      expected.insert({symbols[0], symbols[1]});
    }
    for (const Reductions& reductions : {Reductions{}, Reductions::none()}) {
      const MhpAnswer answer = parallel_pairs(network, {.reductions = reductions});
      REQUIRE(std::set<ParallelPair>(answer.pairs.begin(), answer.pairs.end()) == expected);
    }
    pairs += expected.size();
  }
  CHECK(pairs > 4000);
}

TEST_CASE("the claims of an answer cover all that was asked and hold one by one") {
  std::size_t reachable = 0;
  std::size_t unreachable = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    const Network network = lock_program(seed);
    MhpOptions options;
    if (seed % 2 == 0) {
      const auto keys = network.stack_symbols().keys();
      options.left.emplace(keys.begin(), keys.end());
      std::erase_if(*options.left, [](StackSymbol symbol) { return symbol.index() % 3 == 0; });
    }
    const MhpAnswer answer = parallel_pairs(network, options);
    std::set<ParallelPair> covered;
    for (const Query& claim : claims_of(network, options, answer)) {
      const auto& positions = claim.steps.front().positions;
      for (StackSymbol a : positions[0])
        for (StackSymbol b : positions[1]) covered.insert({std::min(a, b), std::max(a, b)});
      REQUIRE(solve(network, problem_of(claim), {.witness = WitnessChoice::None}).verdict == claim.expected);
      ++(claim.expected == Verdict::Reachable ? reachable : unreachable);
    }
    std::set<ParallelPair> asked;
    for (StackSymbol a : network.stack_symbols().keys())
      for (StackSymbol b : network.stack_symbols().keys())
        if (!options.left || std::ranges::count(*options.left, a)) asked.insert({std::min(a, b), std::max(a, b)});
    CHECK(covered == asked);
  }
  CHECK(reachable > 300);
  CHECK(unreachable > 300);
}

namespace {

// The pairs of parallel_pairs that are within a class.
std::vector<ParallelPair> within_classes(const std::vector<ParallelPair>& pairs, const MhpOptions& options) {
  std::vector<ParallelPair> kept;
  for (const ParallelPair& pair : pairs)
    if (!options.classes || (*options.classes)[pair.first] == (*options.classes)[pair.second]) kept.push_back(pair);
  return kept;
}

}  // namespace

TEST_CASE("pairs are the same when locks are respected on demand") {
  std::size_t pairs = 0;
  std::size_t excluded = 0;  // that only locks exclude
  std::size_t fewer = 0;     // found without respecting all locks
  std::size_t some = 0;      // of these, respecting at least one
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    CAPTURE(seed);
    const Network network = seed % 5 == 0 ? random_network(seed, {.locks = 4})
                                          : lock_program(seed, {.threads = 3, .locks = 3 + seed % 4, .statements = 4});
    CAPTURE(to_dpn(network, {}));
    MhpOptions options;
    if (seed % 3 == 0) {
      options.left.emplace();
      for (StackSymbol symbol : network.stack_symbols().keys())
        if (symbol.index() % 3 != 0) options.left->push_back(symbol);
    }
    if (seed % 4 == 0) {
      options.classes.emplace(network.stack_symbols().size());
      for (StackSymbol symbol : network.stack_symbols().keys()) (*options.classes)[symbol] = symbol.index() % 2;
    }
    if (seed % 7 == 0) options.reductions = Reductions::none();
    options.locks = LockChoice::All;
    const MhpAnswer all = parallel_pairs(network, options);
    options.locks = LockChoice::Lazy;
    const MhpAnswer lazy = parallel_pairs(network, options);
    CHECK_FALSE(lazy.stopped);
    REQUIRE(within_classes(lazy.pairs, options) == within_classes(all.pairs, options));
    options.semantics = Semantics::LockInsensitive;
    pairs += lazy.pairs.size();
    excluded += within_classes(parallel_pairs(network, options).pairs, options).size() - lazy.pairs.size();
    if (network.locks().size() == 0) continue;
    REQUIRE(lazy.locks);
    if (lazy.locks->size() < network.locks().size()) {
      ++fewer;
      if (!lazy.locks->empty()) ++some;
    }
  }
  MESSAGE(pairs << " pairs, " << excluded << " excluded by locks, " << fewer << " with some locks only, " << some
                << " with at least one");
  CHECK(pairs > 5000);
  CHECK(excluded > 500);
  CHECK(fewer > 100);
  CHECK(some > 50);
}

TEST_CASE("pairs of procedures that call each other inside of many locks") {
  MutualShape shape;
  shape.locks = 32;
  const ModelFile model = generate_mutual(shape);
  std::size_t on_demand = 0;
  for (const Query& query : model.queries) {
    if (query.steps.size() != 1) continue;
    const auto& positions = query.steps.front().positions;
    const MhpAnswer answer = parallel_pairs(model.network, {.left = positions[0], .right = positions[1]});
    if (answer.locks) ++on_demand;
    CHECK(answer.pairs.empty() == (query.expected == Verdict::Unreachable));
  }
  CHECK(on_demand >= 3);
}

TEST_CASE("whoever is stopped keeps the pairs that were shown") {
  const Network network = lock_program(3, {.threads = 4, .locks = 4, .statements = 6});
  MhpOptions options{.locks = LockChoice::Lazy};
  const MhpAnswer all = parallel_pairs(network, options);
  REQUIRE(all.pairs.size() > 5);
  StopSource source;
  source.request(StopReason::Cancelled);
  options.stop = StopToken{source};
  const MhpAnswer answer = parallel_pairs(network, options);
  CHECK(answer.stopped);
  CHECK(std::ranges::includes(all.pairs, answer.pairs));
}
