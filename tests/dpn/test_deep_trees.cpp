#include <doctest/doctest.h>

#include "dpn/formats/schedule_text.hpp"
#include "dpn/formats/tree_text.hpp"
#include "dpn/model/network_builder.hpp"
#include "dpn/semantics/replay.hpp"
#include "dpn/trees/cut.hpp"
#include "dpn/trees/fewest_switches.hpp"
#include "dpn/trees/obstacle.hpp"
#include "dpn/trees/schedule.hpp"
#include "dpn/trees/tree_of_execution.hpp"
#include "dpn/trees/tree_threads.hpp"
#include "dpn/trees/tree_validity.hpp"

using namespace lockwood;
using namespace lockwood::dpn;

namespace {

constexpr std::size_t million = 1000000;

// main descends into a monitor again and again, comes back, and spawns at any time.
struct Deep {
  NetworkBuilder builder;
  ControlState p = builder.control("p");
  Action a = builder.action("a");
  Lock x = builder.lock("x");
  Lock y = builder.lock("y");
  Head at(const char* name) { return {p, builder.stack(name)}; }
  Network network = [this] {
    builder.initial(at("m"));
    builder.add({at("m"), a, Monitor{at("m"), builder.stack("r"), x}});  // 0
    builder.add({at("m"), a, Return{p}});                                // 1
    builder.add({at("r"), a, Return{p}});                                // 2
    builder.add({at("m"), a, Spawn{at("m"), at("m")}});                  // 3
    builder.add({at("m"), a, Spawn{at("m"), at("t")}});                  // 4
    builder.add({at("t"), a, Monitor{at("m"), builder.stack("t"), y}});  // 5
    return std::move(builder).build();
  }();

  void check(const Schedule& execution) const {
    const ExecutionTree tree = tree_of_execution(network, execution.moves, execution.cuts);
    CHECK(tree.size() >= million);
    CHECK_FALSE(tree_problem(network, tree).has_value());
    for (std::uint32_t phase = 0; phase <= execution.cuts.size(); ++phase)
      CHECK_FALSE(tree_problem(network, tree_at_cut(tree, phase, EarlierCuts::Keep)).has_value());
    const auto schedule = schedule_of(network, tree, Semantics::LockSensitive);
    REQUIRE(schedule.has_value());
    const Replay result = replay(network, schedule->moves, Semantics::LockSensitive);
    CHECK_FALSE(result.error.has_value());
    CHECK(by_spawn_path(result.configuration) == reached_configuration(network, tree));
    CHECK(tree_of_execution(network, schedule->moves, schedule->cuts) == tree);
    CHECK_FALSE(obstacle(network, tree).has_value());
    CHECK(fewest_switches(network, tree, Semantics::LockSensitive).has_value());
  }
};

}  // namespace

TEST_CASE("a million nested monitors are no problem") {
  const Deep deep;
  Schedule execution;
  for (std::size_t i = 0; i < million / 2; ++i) execution.moves.push_back({main_thread, RuleId{0}});
  execution.cuts.push_back(execution.moves.size());
  execution.moves.push_back({main_thread, RuleId{1}});
  for (std::size_t i = 0; i < million / 2; ++i) execution.moves.push_back({main_thread, RuleId{2}});
  deep.check(execution);
  CHECK(schedule_text(deep.network, execution).size() > million);
  CHECK(to_text(deep.network, tree_of_execution(deep.network, execution.moves)).size() > million);
}

TEST_CASE("a chain of threads, each spawned by the one before, may be long") {
  const Deep deep;
  Schedule execution;
  for (std::size_t i = 0; i < million / 2; ++i) execution.moves.push_back({ThreadId{i}, RuleId{3}});
  deep.check(execution);
}

TEST_CASE("many threads that use the same lock in each of many phases are scheduled in linear time") {
  const Deep deep;
  constexpr std::size_t workers = 300;
  Schedule execution;
  for (std::size_t i = 0; i < workers; ++i) execution.moves.push_back({main_thread, RuleId{4}});
  for (std::size_t phase = 0; phase < million / (3 * workers); ++phase) {
    execution.cuts.push_back(execution.moves.size());
    for (std::size_t i = 1; i <= workers; ++i) {
      execution.moves.push_back({ThreadId{i}, RuleId{5}});
      execution.moves.push_back({ThreadId{i}, RuleId{1}});
    }
  }
  const ExecutionTree tree = tree_of_execution(deep.network, execution.moves, execution.cuts);
  CHECK(tree.size() >= million);
  const auto schedule = schedule_of(deep.network, tree, Semantics::LockSensitive);
  REQUIRE(schedule.has_value());
  CHECK_FALSE(replay(deep.network, schedule->moves, Semantics::LockSensitive).error.has_value());
  CHECK(tree_of_execution(deep.network, schedule->moves, schedule->cuts) == tree);
  CHECK_FALSE(obstacle(deep.network, tree).has_value());
  CHECK(fewest_switches(deep.network, tree, Semantics::LockSensitive).has_value());
}
