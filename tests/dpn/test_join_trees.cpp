#include <doctest/doctest.h>

#include <algorithm>
#include <array>

#include "dpn/semantics/replay.hpp"
#include "dpn/trees/all_schedules.hpp"
#include "dpn/trees/fewest_switches.hpp"
#include "dpn/trees/obstacle.hpp"
#include "dpn/trees/schedule.hpp"
#include "dpn/trees/tree_joins.hpp"
#include "dpn/trees/tree_of_execution.hpp"
#include "dpn/trees/tree_threads.hpp"
#include "dpn/trees/tree_validity.hpp"
#include "tests/oracle/dpn/join_theorem.hpp"
#include "tests/oracle/dpn/tree_generator.hpp"

using namespace lockwood;
using namespace lockwood::dpn;

namespace {

struct Met {
  std::size_t trees = 0;
  std::size_t joining = 0;                  // with a join that waits for somebody
  std::size_t schedulable = 0;              // of these
  std::array<std::size_t, 6> violations{};  // of these, by condition
  std::size_t by_joins = 0;                 // not schedulable, but without its joins
};

// Whether the tree has a lock-sensitive schedule if joins do not wait: the conditions 2 to 4 over program order and
// forks, which the old scheduler decides. The tree of a network in which joins are steps.
bool schedulable_without_joins(const Network& network, const Schedule& execution) {
  IdVector<RuleId, Rule> rules = network.rules();
  for (Rule& rule : rules)
    if (const auto to = step_of(rule)) rule.effect = Base{*to};
  const Network weaker = network.with_rules(std::move(rules));
  return schedule_of(weaker, tree_of_execution(weaker, execution.moves, execution.cuts), Semantics::LockSensitive)
      .has_value();
}

void check_tree(const Network& network, const Schedule& execution, Met& met) {
  const ExecutionTree tree = tree_of_execution(network, execution.moves, execution.cuts);
  REQUIRE_FALSE(tree_problem(network, tree).has_value());
  ++met.trees;
  const TreeThreads threads = threads_of(tree);
  const TreeJoins joins = joins_of(network, tree, threads);
  const bool waits = std::ranges::any_of(joins.joins, [](const TreeJoin& join) { return !join.awaited.empty(); });
  const bool exists = schedule_exists(network, tree, Semantics::LockSensitive);

  // The theorem, literally and in the searches for obstacles and schedules.
  const auto violated = reference::violated_condition(network, tree);
  CHECK(violated.has_value() == !exists);
  const auto found = obstacle(network, tree);
  CHECK(found.has_value() == !exists);
  if (found) CHECK_FALSE(to_text(network, tree, *found).empty());
  const auto schedule = schedule_of(network, tree, Semantics::LockSensitive);
  REQUIRE(schedule.has_value() == exists);
  if (schedule) {
    const Replay replayed = replay(network, schedule->moves, Semantics::LockSensitive);
    REQUIRE_FALSE(replayed.error.has_value());
    CHECK(tree_of_execution(network, schedule->moves, schedule->cuts) == tree);
    const auto fewest = fewest_switches(network, tree, Semantics::LockSensitive);
    REQUIRE(fewest.has_value());
    CHECK_FALSE(replay(network, fewest->schedule.moves, Semantics::LockSensitive).error.has_value());
    CHECK(switches(fewest->schedule) <= switches(*schedule));
  }
  const auto free = schedule_of(network, tree, Semantics::LockInsensitive);
  REQUIRE(free.has_value());
  CHECK_FALSE(replay(network, free->moves, Semantics::LockInsensitive).error.has_value());
  CHECK(tree_of_execution(network, free->moves, free->cuts) == tree);
  CHECK(by_spawn_path(replay(network, free->moves, Semantics::LockInsensitive).configuration) ==
        reached_configuration(network, tree));

  if (!waits) return;
  ++met.joining;
  if (exists) ++met.schedulable;
  if (violated) ++met.violations[static_cast<std::size_t>(*violated)];
  if (!exists && schedulable_without_joins(network, execution)) ++met.by_joins;
}

void check_trees(std::uint64_t first, std::uint64_t end, std::size_t unschedulable_by_joins) {
  Met met;
  testing::each_joining_execution(
      first, end, [&](const Network& network, const Schedule& execution) { check_tree(network, execution, met); });
  MESSAGE("trees ", met.trees, ", joining ", met.joining, ", schedulable ", met.schedulable,
          ", violating 2: ", met.violations[2], ", 3: ", met.violations[3], ", 4: ", met.violations[4],
          ", 5: ", met.violations[5], ", only by joins ", met.by_joins);
  CHECK(met.joining > met.trees / 10);
  CHECK(met.schedulable > met.joining / 5);
  CHECK(met.violations[4] > 0);
  CHECK(met.violations[5] > 0);
  CHECK(met.by_joins >= unschedulable_by_joins);
}

}  // namespace

TEST_CASE("a tree with joins has a schedule iff the theorem says so, and then one is found") {
  check_trees(0, 6000, 20);
}

TEST_CASE("a tree with joins has a schedule iff the theorem says so, on many more trees [full]") {
  check_trees(6000, 60000, 200);
}
