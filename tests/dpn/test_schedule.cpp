#include <doctest/doctest.h>

#include <algorithm>

#include "dpn/formats/tree_text.hpp"
#include "dpn/model/network_builder.hpp"
#include "dpn/semantics/replay.hpp"
#include "dpn/trees/all_schedules.hpp"
#include "dpn/trees/cut.hpp"
#include "dpn/trees/fewest_switches.hpp"
#include "dpn/trees/schedule.hpp"
#include "dpn/trees/tree_of_execution.hpp"
#include "dpn/trees/tree_validity.hpp"
#include "tests/dpn/crossed_monitors.hpp"
#include "tests/oracle/dpn/tree_generator.hpp"

using namespace lockwood;
using namespace lockwood::dpn;
using namespace lockwood::dpn::testing;

namespace {

bool schedulable(const Network& network, const ExecutionTree& tree) {
  REQUIRE_FALSE(tree_problem(network, tree).has_value());
  const auto schedule = schedule_of(network, tree, Semantics::LockSensitive);
  CHECK(schedule.has_value() == schedule_exists(network, tree, Semantics::LockSensitive));
  return schedule.has_value();
}

struct Tally {
  std::size_t schedulable = 0;
  std::size_t unschedulable = 0;
};

// Compares schedule_of with brute force on the tree of the execution, which need not be lock-sensitive itself.
void compare(const Network& network, const Schedule& execution, Tally& tally) {
  const ExecutionTree tree = tree_of_execution(network, execution.moves, execution.cuts);
  CAPTURE(to_text(network, tree));
  for (Semantics semantics : {Semantics::LockSensitive, Semantics::LockInsensitive}) {
    const auto schedule = schedule_of(network, tree, semantics);
    REQUIRE(schedule.has_value() == schedule_exists(network, tree, semantics));
    if (semantics == Semantics::LockSensitive) ++(schedule ? tally.schedulable : tally.unschedulable);
    if (!schedule) continue;
    CHECK_FALSE(replay(network, schedule->moves, semantics).error.has_value());
    CHECK(tree_of_execution(network, schedule->moves, schedule->cuts) == tree);
  }
}

Tally compare_on_random_networks(std::uint64_t first_seed, std::uint64_t end_seed) {
  Tally tally;
  each_locking_execution(
      first_seed, end_seed, TreeSize::ForBruteForce,
      [&](const Network& network, const Schedule& execution) { compare(network, execution, tally); });
  return tally;
}

Tally compare_on_straight_lines(std::uint64_t first_seed, std::uint64_t end_seed) {
  Tally tally;
  each_straight_line_execution(
      first_seed, end_seed, TreeSize::ForBruteForce,
      [&](const Network& network, const Schedule& execution) { compare(network, execution, tally); });
  return tally;
}

}  // namespace

TEST_CASE("a tree has a schedule iff brute force finds one, and the schedule replays to the same tree with its cuts") {
  for (const Tally& tally : {compare_on_random_networks(0, 3000), compare_on_straight_lines(0, 3000)}) {
    CHECK(tally.schedulable > 500);
    CHECK(tally.unschedulable > 500);
  }
}

TEST_CASE("a tree has a schedule iff brute force finds one, on many more trees [full]") {
  for (const Tally& tally : {compare_on_random_networks(3000, 80000), compare_on_straight_lines(3000, 40000)}) {
    CHECK(tally.schedulable > 10000);
    CHECK(tally.unschedulable > 10000);
  }
}

TEST_CASE("schedules switch threads little more often than the best ones") {
  std::size_t made = 0;
  std::size_t best = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const Network network = random_locking_network(seed, {.controls = 1, .stacks = 6, .locks = 2});
    const ExecutionShape size{.moves = 10, .threads = 3, .depth = 5, .cuts = 1};
    const Schedule execution = random_execution(network, seed, size, Semantics::LockSensitive);
    const ExecutionTree tree = tree_of_execution(network, execution.moves, execution.cuts);
    const auto schedule = schedule_of(network, tree, Semantics::LockSensitive);
    REQUIRE(schedule.has_value());
    const std::vector<Schedule> all = all_schedules(network, tree, Semantics::LockSensitive);
    CHECK(std::ranges::find(all, *schedule) != all.end());
    std::size_t fewest = switches(all.front());
    for (const Schedule& other : all) fewest = std::min(fewest, switches(other));
    made += switches(*schedule);
    best += fewest;
  }
  CAPTURE(made);
  CAPTURE(best);
  CHECK(made * 100 <= best * 105);
}

namespace {

struct TwoThreads : CrossedMonitors {
  // The tree in which main and t use these rules, with a cut after so many of main's and t's first steps.
  struct Steps {
    std::vector<std::size_t> rules;
    std::size_t before_cut;
  };
  [[nodiscard]] ExecutionTree tree(const Steps& main, const Steps& t, bool with_cut) const {
    Schedule execution;
    const auto run = [&](ThreadId thread, const Steps& steps, std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i) execution.moves.push_back({thread, RuleId{steps.rules[i]}});
    };
    run(main_thread, main, 0, main.before_cut);
    run(ThreadId{1}, t, 0, t.before_cut);
    if (with_cut) execution.cuts.push_back(execution.moves.size());
    run(main_thread, main, main.before_cut, main.rules.size());
    run(ThreadId{1}, t, t.before_cut, t.rules.size());
    return tree_of_execution(network, execution.moves, execution.cuts);
  }
};

}  // namespace

TEST_CASE("the first tree of Figure 2 is schedulable, the second is not") {
  const TwoThreads model;
  // main holds a for ever and used b; t holds b for ever.
  CHECK(schedulable(model.network, model.tree({{0, 1, 2, 3}, 4}, {{5, 6}, 2}, false)));
  // t holds b for ever and used a, too.
  CHECK_FALSE(schedulable(model.network, model.tree({{0, 1, 2, 3}, 4}, {{5, 7, 8}, 3}, false)));
}

TEST_CASE("the trees of Figure 3 are not schedulable with their cut, but without it and up to it") {
  const TwoThreads model;
  const auto check = [&](const TwoThreads::Steps& main, const TwoThreads::Steps& t) {
    const ExecutionTree tree = model.tree(main, t, true);
    CAPTURE(to_text(model.network, tree));
    CHECK_FALSE(schedulable(model.network, tree));
    CHECK(schedulable(model.network, without_cuts(tree)));
    CHECK(schedulable(model.network, tree_at_cut(tree, 0, EarlierCuts::Remove)));
  };
  // Left: main holds a for ever from before the cut on; t uses it after the cut.
  check({{0, 1}, 2}, {{10, 8}, 0});
  // Right: at the cut main holds a and t holds b; to release its lock, each must use the other's.
  check({{0, 1, 2, 3, 4}, 2}, {{5, 7, 8, 9}, 1});
}

TEST_CASE("a lock held from before the cut on hinders threads that a returned procedure spawned") {
  // Where Definition 11 as printed accepts: main calls f, which spawns u and returns; main takes x for ever; u, which
  // has not moved before the cut, must then use x.
  NetworkBuilder builder;
  const ControlState p = builder.control("p");
  const Action step = builder.action("step");
  const Lock x = builder.lock("x");
  const auto at = [&](const char* name) { return Head{p, builder.stack(name)}; };
  builder.initial(at("m1"));
  builder.add({at("m1"), step, Call{at("f1"), builder.stack("m2")}});
  builder.add({at("f1"), step, Spawn{at("f2"), at("u1")}});
  builder.add({at("f2"), step, Return{p}});
  builder.add({at("m2"), step, Monitor{at("m3"), builder.stack("m4"), x}});
  builder.add({at("u1"), step, Monitor{at("u2"), builder.stack("u3"), x}});
  builder.add({at("u2"), step, Return{p}});
  const Network network = std::move(builder).build();
  const ThreadId u{1};
  const std::vector<Move> moves{{main_thread, RuleId{0}}, {main_thread, RuleId{1}}, {main_thread, RuleId{2}},
                                {main_thread, RuleId{3}}, {u, RuleId{4}},           {u, RuleId{5}}};
  const std::vector<std::size_t> cuts{4};
  const ExecutionTree tree = tree_of_execution(network, moves, cuts);
  CHECK_FALSE(schedulable(network, tree));
  CHECK(schedulable(network, without_cuts(tree)));
  CHECK(schedulable(network, tree_at_cut(tree, 0, EarlierCuts::Remove)));
}

TEST_CASE("the execution tree of Figure 1 has five lock-sensitive schedules") {
  NetworkBuilder builder;
  const ControlState p = builder.control("p");
  const Action step = builder.action("step");
  const Lock x = builder.lock("x");
  const auto at = [&](const char* name) { return Head{p, builder.stack(name)}; };
  builder.initial(at("p1"));
  builder.add({at("p1"), step, Spawn{at("p2"), at("q1")}});                  // 0
  builder.add({at("p2"), step, Base{at("p3")}});                             // 1
  builder.add({at("p3"), step, Monitor{at("r1"), builder.stack("p4"), x}});  // 2
  builder.add({at("r1"), step, Base{at("r2")}});                             // 3
  builder.add({at("r2"), step, Return{p}});                                  // 4
  builder.add({at("q1"), step, Monitor{at("s1"), builder.stack("q2"), x}});  // 5
  builder.add({at("s1"), step, Base{at("s2")}});                             // 6
  builder.add({at("s2"), step, Return{p}});                                  // 7
  const Network network = std::move(builder).build();
  const ThreadId q{1};
  const std::vector<Move> moves{{main_thread, RuleId{0}}, {q, RuleId{5}},          {q, RuleId{6}},
                                {main_thread, RuleId{1}}, {q, RuleId{7}},          {main_thread, RuleId{2}},
                                {main_thread, RuleId{3}}, {main_thread, RuleId{4}}};
  REQUIRE_FALSE(replay(network, moves, Semantics::LockSensitive).error.has_value());
  const ExecutionTree tree = tree_of_execution(network, moves);
  const std::vector<Schedule> all = all_schedules(network, tree, Semantics::LockSensitive);
  CHECK(all.size() == 5);
  CHECK(std::ranges::find(all, Schedule{moves, {}}) != all.end());
  for (const Schedule& schedule : all) CHECK(tree_of_execution(network, schedule.moves) == tree);
}
