#include <doctest/doctest.h>

#include <algorithm>
#include <array>

#include "dpn/formats/text_format.hpp"
#include "dpn/model/network_builder.hpp"
#include "dpn/semantics/explore.hpp"
#include "dpn/semantics/positions.hpp"
#include "tests/oracle/dpn/naive_explore.hpp"
#include "tests/oracle/dpn/random_network.hpp"

using namespace lockwood;
using namespace lockwood::dpn;

namespace {

// Replays the schedule with the small-step semantics and checks that each part does what its query step asks for.
void check_schedule(const Network& network, const Query& query, const std::vector<std::vector<Move>>& schedule) {
  REQUIRE(schedule.size() == query.steps.size());
  Configuration configuration = initial_configuration(network);
  for (std::size_t i = 0; i < schedule.size(); ++i) {
    const QueryStep& step = query.steps[i];
    bool fired = step.requiring.empty();
    for (Move move : schedule[i]) {
      REQUIRE_FALSE(blocked(network, configuration, move, query.semantics).has_value());
      const Action action = network.rule(move.rule).action;
      CHECK(std::ranges::count(step.avoiding, action) == 0);
      fired = fired || std::ranges::count(step.requiring, action) > 0;
      apply(network, configuration, move);
    }
    CHECK(fired);
    CHECK(reference::occupied(configuration, step));
    CHECK(threads_at(network, configuration, step).has_value());
  }
}

std::size_t total_moves(const std::vector<std::vector<Move>>& schedule) {
  std::size_t moves = 0;
  for (const auto& part : schedule) moves += part.size();
  return moves;
}

// main spawns a worker; both enter the monitor on x, do their work inside, and return.
struct TwoThreads {
  NetworkBuilder builder;
  ControlState p = builder.control("p");
  Action a = builder.action("a");
  Action enter = builder.action("enter");
  Action leave = builder.action("leave");
  Lock x = builder.lock("x");
  Head at(const char* name) { return {p, builder.stack(name)}; }
  Network network = [this] {
    builder.initial(at("m1"));
    builder.add({at("m1"), a, Spawn{at("m2"), at("t1")}});
    builder.add({at("m2"), enter, Monitor{at("inmain"), builder.stack("m3"), x}});
    builder.add({at("inmain"), leave, Return{p}});
    builder.add({at("t1"), enter, Monitor{at("inworker"), builder.stack("t2"), x}});
    builder.add({at("inworker"), leave, Return{p}});
    builder.add({at("t2"), a, Return{p}});
    Network built = std::move(builder).build();
    return built;
  }();
  std::vector<StackSymbol> set(std::initializer_list<const char*> names) const {
    std::vector<StackSymbol> symbols;
    for (const char* name : names) symbols.push_back(*network.stack_symbols().find(name));
    return symbols;
  }
};

Query query_of(std::vector<QueryStep> steps, Semantics semantics = Semantics::LockSensitive) {
  Query query;
  query.semantics = semantics;
  query.steps = std::move(steps);
  return query;
}

}  // namespace

TEST_CASE("two threads are never in monitors of one lock, unless locks are ignored") {
  const TwoThreads example;
  const QueryStep both{.positions = {example.set({"inmain"}), example.set({"inworker"})}};
  const ExploreAnswer never = explore_query(example.network, query_of({both}));
  CHECK(never.verdict == Verdict::Unreachable);
  CHECK(never.exhaustive());
  CHECK(never.schedule.empty());

  const Query nolocks = query_of({both}, Semantics::LockInsensitive);
  const ExploreAnswer reachable = explore_query(example.network, nolocks);
  CHECK(reachable.verdict == Verdict::Reachable);
  CHECK(total_moves(reachable.schedule) == 3);
  check_schedule(example.network, nolocks, reachable.schedule);
}

TEST_CASE("the configurations of two threads and a lock are those counted by hand") {
  const TwoThreads example;
  // m1; then main in {m2, inmain, m3} and the worker in {t1, inworker, t2, ended}, not both inside.
  const Exploration locks = explore(example.network, Semantics::LockSensitive);
  CHECK(locks.exhaustive());
  CHECK(locks.configurations == 1 + 3 * 4 - 1);
  CHECK(locks.stack_depth == 2);
  CHECK(locks.threads == 2);
  CHECK(locks.deadlocked == 0);
  CHECK_FALSE(locks.deadlock.has_value());
  CHECK(explore(example.network, Semantics::LockInsensitive).configurations == 1 + 3 * 4);
}

TEST_CASE("positions are taken by different threads") {
  const TwoThreads example;
  const auto verdict = [&](std::vector<std::vector<StackSymbol>> positions) {
    return explore_query(example.network, query_of({QueryStep{.positions = std::move(positions)}})).verdict;
  };
  CHECK(verdict({example.set({"m2"}), example.set({"m2"})}) == Verdict::Unreachable);
  CHECK(verdict({example.set({"m2", "t2"}), example.set({"m2"})}) == Verdict::Reachable);
  CHECK(verdict({example.set({"m2", "t2"}), example.set({"m2"}), example.set({"t2"})}) == Verdict::Unreachable);
  CHECK(verdict({}) == Verdict::Reachable);
  CHECK(verdict({example.set({})}) == Verdict::Unreachable);
}

TEST_CASE("avoided actions are not used on the way to a step and required ones are") {
  const TwoThreads example;
  const QueryStep inside{.positions = {example.set({"inworker"})}};
  const auto then = [&](QueryStep step) {
    const Query query = query_of({inside, std::move(step)});
    const ExploreAnswer answer = explore_query(example.network, query);
    if (answer.verdict == Verdict::Reachable) check_schedule(example.network, query, answer.schedule);
    return answer.verdict;
  };
  const auto in_main = example.set({"inmain"});
  const auto m2 = example.set({"m2"});
  CHECK(then({.positions = {in_main}}) == Verdict::Reachable);
  CHECK(then({.positions = {in_main}, .avoiding = {example.leave}}) == Verdict::Unreachable);
  CHECK(then({.positions = {m2}}) == Verdict::Reachable);  // without a move
  CHECK(then({.positions = {m2}, .requiring = {example.leave}}) == Verdict::Reachable);
  CHECK(then({.positions = {m2}, .requiring = {example.enter}}) == Verdict::Unreachable);
  CHECK(then({.positions = {in_main}, .requiring = {example.a, example.enter}}) == Verdict::Reachable);
  CHECK(then({.positions = {in_main}, .avoiding = {example.leave}, .requiring = {example.a}}) == Verdict::Unreachable);
}

TEST_CASE("a thread may take a lock again, and its inner return does not free it") {
  NetworkBuilder builder;
  const ControlState p = builder.control("p");
  const Action a = builder.action("a");
  const Lock x = builder.lock("x");
  const auto at = [&](const char* name) { return Head{p, builder.stack(name)}; };
  builder.initial(at("m1"));
  builder.add({at("m1"), a, Spawn{at("m2"), at("t1")}});
  builder.add({at("m2"), a, Monitor{at("outer1"), builder.stack("m3"), x}});
  builder.add({at("outer1"), a, Monitor{at("inner"), builder.stack("outer2"), x}});
  builder.add({at("inner"), a, Return{p}});
  builder.add({at("outer2"), a, Return{p}});
  builder.add({at("t1"), a, Monitor{at("other"), builder.stack("t2"), x}});
  const Network network = std::move(builder).build();
  const auto symbol = [&](const char* name) { return *network.stack_symbols().find(name); };
  const auto meets = [&](const char* one, const char* other) {
    return explore_query(network, query_of({QueryStep{.positions = {{symbol(one)}, {symbol(other)}}}})).verdict;
  };
  CHECK(meets("inner", "t1") == Verdict::Reachable);
  CHECK(meets("inner", "other") == Verdict::Unreachable);
  CHECK(meets("outer2", "other") == Verdict::Unreachable);
  CHECK(meets("m3", "other") == Verdict::Reachable);
}

TEST_CASE("two locks taken in opposite orders deadlock, by a shortest schedule") {
  NetworkBuilder builder;
  const ControlState p = builder.control("p");
  const Action a = builder.action("a");
  const Lock x = builder.lock("x");
  const Lock y = builder.lock("y");
  const auto at = [&](const char* name) { return Head{p, builder.stack(name)}; };
  builder.initial(at("m1"));
  builder.add({at("m1"), a, Spawn{at("m2"), at("t1")}});
  builder.add({at("m2"), a, Monitor{at("m3"), builder.stack("m9"), x}});
  builder.add({at("m3"), a, Monitor{at("m4"), builder.stack("m8"), y}});
  builder.add({at("t1"), a, Monitor{at("t3"), builder.stack("t9"), y}});
  builder.add({at("t3"), a, Monitor{at("t4"), builder.stack("t8"), x}});
  for (const char* end : {"m4", "m8", "m9", "t4", "t8", "t9"}) builder.add({at(end), a, Return{p}});
  const Network network = std::move(builder).build();
  const Exploration exploration = explore(network, Semantics::LockSensitive);
  CHECK(exploration.exhaustive());
  CHECK(exploration.deadlocked == 1);
  REQUIRE(exploration.deadlock.has_value());
  CHECK(exploration.deadlock->size() == 3);
  Configuration configuration = initial_configuration(network);
  for (Move move : *exploration.deadlock) apply(network, configuration, move);
  CHECK(reference::deadlocked(network, configuration));
  CHECK(explore(network, Semantics::LockInsensitive).deadlocked == 0);
}

TEST_CASE("threads in equal states are one configuration, whoever is who") {
  // n workers of three states each are multisets: C(n + 2, 2) of them once all are spawned.
  NetworkBuilder builder;
  const ControlState p = builder.control("p");
  const Action a = builder.action("a");
  const auto at = [&](const std::string& name) { return Head{p, builder.stack(name)}; };
  builder.initial(at("m0"));
  for (int i = 0; i < 4; ++i)
    builder.add({at("m" + std::to_string(i)), a, Spawn{at("m" + std::to_string(i + 1)), at("w0")}});
  builder.add({at("w0"), a, Base{at("w1")}});
  builder.add({at("w1"), a, Base{at("w2")}});
  const Exploration exploration = explore(std::move(builder).build(), Semantics::LockSensitive);
  CHECK(exploration.exhaustive());
  CHECK(exploration.configurations == 1 + 3 + 6 + 10 + 15);
  CHECK(exploration.threads == 5);
}

TEST_CASE("what the bounds leave out is told, and a state space of exactly the bound is exhaustive") {
  const TwoThreads example;
  const auto with = [&](ExploreBounds bounds) { return explore(example.network, Semantics::LockSensitive, bounds); };
  CHECK(with({.configurations = 12}).exhaustive());
  CHECK(with({.configurations = 11}).omissions == Omissions{.configurations = true});
  CHECK(with({.stack_depth = 2, .threads = 2}).exhaustive());
  CHECK(with({.stack_depth = 1}).omissions == Omissions{.stack_depth = true});
  CHECK(with({.threads = 1}).omissions == Omissions{.threads = true});
  CHECK(with({.configurations = 0, .stack_depth = 0, .threads = 0}).configurations == 1);
  const Query query = query_of({QueryStep{.positions = {example.set({"inmain"}), example.set({"inworker"})}}});
  CHECK(explore_query(example.network, query, {.configurations = 5}).verdict == Verdict::Unknown);
}

TEST_CASE("a stopped exploration says so and has no verdict") {
  const TwoThreads example;
  StopSource source;
  source.request(StopReason::Timeout);
  const Query query = query_of({QueryStep{.positions = {example.set({"inmain"})}}});
  const ExploreAnswer answer = explore_query(example.network, query, {}, StopToken{source});
  CHECK(answer.verdict == Verdict::Unknown);
  CHECK(answer.omissions == Omissions{.stopped = StopReason::Timeout});
}

TEST_CASE("the explorer answers queries as the small-step semantics does") {
  const ExploreBounds bounds{.configurations = 200, .stack_depth = 4, .threads = 3};
  std::array<std::size_t, 3> verdicts{};
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    CAPTURE(seed);
    const Network network = random_network(seed);
    const Query query = random_query(network, seed);
    CAPTURE(to_dpn(network, {&query, 1}));
    const ExploreAnswer answer = explore_query(network, query, bounds);
    const reference::NaiveAnswer expected = reference::explore_query(network, query, bounds);
    ++verdicts[static_cast<std::size_t>(answer.verdict)];
    if (answer.verdict == Verdict::Reachable) check_schedule(network, query, answer.schedule);
    // Which configurations are the first 200 depends on the order of threads, so only then may the answers differ.
    if (answer.omissions.configurations || expected.omissions.configurations) continue;
    CHECK(answer.verdict == expected.verdict);
    if (answer.verdict == Verdict::Reachable) {
      CHECK(total_moves(answer.schedule) == expected.moves);
    } else {
      CHECK(answer.configurations == expected.configurations);
      CHECK(answer.omissions == expected.omissions);
    }
  }
  for (std::size_t count : verdicts) CHECK(count > 400);  // the inputs are worth it
}

TEST_CASE("the explorer visits what the small-step semantics reaches") {
  const ExploreBounds bounds{.configurations = 200, .stack_depth = 4, .threads = 3};
  std::size_t with_deadlock = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    CAPTURE(seed);
    const Network network = random_network(seed);
    CAPTURE(to_dpn(network, {}));
    const Semantics semantics = seed % 4 == 0 ? Semantics::LockInsensitive : Semantics::LockSensitive;
    const Exploration found = explore(network, semantics, bounds);
    const reference::NaiveExploration expected = reference::explore(network, semantics, bounds);
    CHECK(found.configurations == expected.configurations);
    if (found.deadlock) {
      ++with_deadlock;
      Configuration configuration = initial_configuration(network);
      for (Move move : *found.deadlock) {
        REQUIRE_FALSE(blocked(network, configuration, move, semantics).has_value());
        apply(network, configuration, move);
      }
      CHECK(reference::deadlocked(network, configuration));
    }
    CHECK(found.omissions.configurations == expected.omissions.configurations);
    if (found.omissions.configurations) continue;
    CHECK(found.omissions == expected.omissions);
    CHECK(found.stack_depth == expected.stack_depth);
    CHECK(found.threads == expected.threads);
    CHECK(found.deadlocked == expected.deadlocked);
    CHECK(found.deadlock.has_value() == expected.deadlock.has_value());
    if (found.deadlock && expected.deadlock) CHECK(found.deadlock->size() == *expected.deadlock);
  }
  CHECK(with_deadlock > 20);
}

TEST_CASE("smaller bounds give the same verdict or none") {
  const ExploreBounds wide{.configurations = 5'000, .stack_depth = 6, .threads = 4};
  const std::array<ExploreBounds, 4> narrow{{{.configurations = 30, .stack_depth = 6, .threads = 4},
                                             {.configurations = 5'000, .stack_depth = 2, .threads = 4},
                                             {.configurations = 5'000, .stack_depth = 6, .threads = 2},
                                             {.configurations = 50, .stack_depth = 3, .threads = 2}}};
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    CAPTURE(seed);
    const Network network = random_network(seed);
    const Query query = random_query(network, seed);
    const ExploreAnswer full = explore_query(network, query, wide);
    for (const ExploreBounds& bounds : narrow) {
      const Verdict less = explore_query(network, query, bounds).verdict;
      // A search that ran out of configurations may know less than one that spent them on fewer threads.
      if (less == Verdict::Unknown || (full.verdict == Verdict::Unknown && full.omissions.configurations)) continue;
      CHECK(less == full.verdict);
    }
  }
}

TEST_CASE("a stack as deep as the input is no problem") {
  NetworkBuilder builder;
  const ControlState p = builder.control("p");
  const Action a = builder.action("a");
  const Head f{p, builder.stack("f")};
  const Head g{p, builder.stack("g")};
  builder.initial(f);
  builder.add({f, a, Call{f, g.top}});
  builder.add({f, a, Base{g}});
  builder.add({g, a, Return{p}});
  const Exploration exploration = explore(std::move(builder).build(), Semantics::LockSensitive,
                                          {.configurations = 400'000, .stack_depth = 100'000});
  CHECK(exploration.omissions == Omissions{.stack_depth = true});
  CHECK(exploration.stack_depth == 100'000);
}
