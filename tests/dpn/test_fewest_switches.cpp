#include <doctest/doctest.h>

#include <algorithm>

#include "dpn/formats/tree_text.hpp"
#include "dpn/model/network_builder.hpp"
#include "dpn/semantics/replay.hpp"
#include "dpn/trees/all_schedules.hpp"
#include "dpn/trees/fewest_switches.hpp"
#include "dpn/trees/tree_of_execution.hpp"
#include "tests/oracle/dpn/tree_generator.hpp"

using namespace lockwood;
using namespace lockwood::dpn;
using namespace lockwood::dpn::testing;

namespace {

struct Tally {
  std::size_t trees = 0;
  std::size_t improved = 0;  // schedule_of makes more switches
};

void compare(const Network& network, const Schedule& execution, Tally& tally) {
  const ExecutionTree tree = tree_of_execution(network, execution.moves, execution.cuts);
  CAPTURE(to_text(network, tree));
  for (Semantics semantics : {Semantics::LockSensitive, Semantics::LockInsensitive}) {
    const auto found = fewest_switches(network, tree, semantics);
    const std::vector<Schedule> all = all_schedules(network, tree, semantics);
    REQUIRE(found.has_value() == !all.empty());
    if (!found) continue;
    std::size_t fewest = switches(all.front());
    for (const Schedule& schedule : all) fewest = std::min(fewest, switches(schedule));
    CHECK(found->exact);
    CHECK(switches(found->schedule) == fewest);
    CHECK(std::ranges::find(all, found->schedule) != all.end());
    ++tally.trees;
    if (switches(*schedule_of(network, tree, semantics)) > fewest) ++tally.improved;
  }
}

}  // namespace

TEST_CASE("no schedule has fewer switches than the one found") {
  Tally tally;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    CAPTURE(seed);
    const Network locking = random_locking_network(seed, {.controls = 1, .stacks = 6, .locks = 1 + seed % 3});
    const ExecutionShape shape{.moves = 7 + seed % 4, .threads = 3, .depth = 5, .cuts = seed % 3};
    compare(locking, random_execution(locking, seed, shape, Semantics::LockSensitive), tally);
    const Network lines = random_straight_line_network(seed, {.threads = 2 + seed % 2, .operations = 6, .locks = 3});
    compare(lines, random_execution(lines, seed, shape, Semantics::LockInsensitive), tally);
  }
  CAPTURE(tally.improved);
  CHECK(tally.trees > 3000);
  CHECK(tally.improved > 10);
}

namespace {

// `count` threads that each use the lock `rounds` times, and between two uses another one of their own, as a tree.
struct Quarrel {
  Network network;
  ExecutionTree tree;
};

Quarrel quarrel(std::size_t count, std::size_t rounds) {
  NetworkBuilder builder;
  const ControlState p = builder.control("p");
  const Action step = builder.action("step");
  const Lock common = builder.lock("common");
  const auto at = [&](const std::string& name) { return Head{p, builder.stack(name)}; };
  std::vector<std::vector<RuleId>> rules(count + 1);
  std::size_t added = 0;
  const auto add = [&](std::size_t thread, const Rule& rule) {
    builder.add(rule);
    rules[thread].emplace_back(added++);
  };
  builder.initial(at("m0"));
  for (std::size_t i = 1; i <= count; ++i) {
    const std::string own = "t" + std::to_string(i);
    add(0, {at("m" + std::to_string(i - 1)), step, Spawn{at("m" + std::to_string(i)), at(own + "r0")}});
    for (std::size_t round = 0; round < rounds; ++round) {
      const std::string from = own + "r" + std::to_string(round);
      const StackSymbol next = builder.stack(own + "r" + std::to_string(round + 1));
      add(i, {at(from), step, Monitor{at(from + "b"), next, common}});
      add(i, {at(from + "b"), step, Return{p}});
    }
  }
  Network network = std::move(builder).build();
  std::vector<Move> moves;
  for (std::size_t thread = 0; thread <= count; ++thread)
    for (RuleId rule : rules[thread]) moves.push_back({ThreadId{thread}, rule});
  ExecutionTree tree = tree_of_execution(network, moves);
  return {std::move(network), std::move(tree)};
}

}  // namespace

TEST_CASE("where the schedule at hand cannot be bettered, size does not matter") {
  const Quarrel large = quarrel(1000, 20);
  const auto found = fewest_switches(large.network, large.tree, Semantics::LockSensitive);
  REQUIRE(found.has_value());
  CHECK(found->exact);
  CHECK(switches(found->schedule) == 1000);
}

TEST_CASE("a bound on states gives up exactness, not the schedule") {
  std::size_t inexact = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Network network = random_straight_line_network(seed, {.threads = 4, .operations = 30, .locks = 6});
    const ExecutionShape shape{.moves = 100, .threads = 8, .depth = 8, .cuts = 2};
    const Schedule execution = random_execution(network, seed, shape, Semantics::LockSensitive);
    const ExecutionTree tree = tree_of_execution(network, execution.moves, execution.cuts);
    const auto found = fewest_switches(network, tree, Semantics::LockSensitive, {.states = 10, .words = 1000});
    REQUIRE(found.has_value());
    CHECK_FALSE(replay(network, found->schedule.moves, Semantics::LockSensitive).error.has_value());
    CHECK(tree_of_execution(network, found->schedule.moves, found->schedule.cuts) == tree);
    if (!found->exact) ++inexact;
  }
  CHECK(inexact > 10);
}
