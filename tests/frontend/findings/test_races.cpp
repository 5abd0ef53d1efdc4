#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>

#include "base/ids/random.hpp"
#include "dpn/semantics/explore.hpp"
#include "frontend/findings/analyses/held_locks.hpp"
#include "frontend/findings/analyses/race_schedules.hpp"
#include "frontend/findings/analyses/races.hpp"
#include "frontend/findings/analyses/separation.hpp"
#include "frontend/findings/narrative/exact_run.hpp"
#include "solver/query/replay_error.hpp"
#include "tests/frontend/program/lowered_text.hpp"

namespace lockwood::findings {
namespace {

dpn::Query conflict_query(const program::Lowered& lowered, const Conflict& conflict) {
  dpn::QueryStep step;
  step.positions = {access(lowered, conflict.first).before, access(lowered, conflict.second).before};
  return {.form = dpn::QueryForm::Conflict, .steps = {step}, .expected = {}, .at = {}};
}

}  // namespace

TEST_CASE("the races of random programs are the conflicts that exploration reaches") {
  std::size_t racing = 0;
  std::size_t apart = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const std::string text = lw::random_program(seed, small);
    CAPTURE(seed);
    CAPTURE(text);
    const Subject it = subject(text);
    const auto verdicts = decide(it.lowered.network, it.lowered, conflicts(it.lowered), dpn::Semantics::LockSensitive);
    CHECK(verdicts.undecided.empty());
    for (const auto& [list, verdict] :
         {std::pair{&verdicts.racing, dpn::Verdict::Reachable}, std::pair{&verdicts.apart, dpn::Verdict::Unreachable}})
      for (const Conflict& conflict : *list) {
        const auto answer =
            dpn::explore_query(it.lowered.network, conflict_query(it.lowered, conflict), {.configurations = 20'000});
        if (answer.verdict == dpn::Verdict::Unknown) continue;
        CHECK(answer.verdict == verdict);
        ++(verdict == dpn::Verdict::Reachable ? racing : apart);
      }
  }
  CHECK(racing > 50);
  CHECK(apart > 50);
}

TEST_CASE(
    "schedules of races are as short on the network for a variable, and end with two threads before the accesses") {
  std::size_t scheduled = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const std::string text = lw::random_program(seed, small);
    CAPTURE(seed);
    CAPTURE(text);
    const Subject it = subject(text);
    RaceSchedules plain{it.lowered, {}, std::numeric_limits<std::size_t>::max()};
    RaceSchedules focused{it.lowered, {}, 0};
    for (const Conflict& race : decide_all(it.lowered).racing) {
      const auto expected = plain.schedule(race);
      const auto schedule = focused.schedule(race);
      REQUIRE(expected);
      REQUIRE(schedule);
      const auto error = problem::replay_error(it.lowered.network, conflict_problem(it.lowered, race), *schedule);
      CHECK_MESSAGE(!error, *error);
      CHECK(schedule->moves.size() == expected->moves.size());
      ++scheduled;
    }
  }
  CHECK(scheduled > 100);
}

TEST_CASE("the locks that are held are the same with few contexts and with many") {
  std::size_t sometimes = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const std::string text = lw::random_program(seed, small);
    CAPTURE(text);
    const Subject it = subject(text);
    const auto by_contexts = held_locks(it.lowered.network);
    const auto by_pairs = held_locks(it.lowered.network, {}, 0);
    for (dpn::StackSymbol symbol : it.lowered.network.stack_symbols().keys()) {
      CHECK(by_pairs[symbol].visited == by_contexts[symbol].visited);
      CHECK(by_pairs[symbol].always == by_contexts[symbol].always);
      CHECK(by_pairs[symbol].sometimes == by_contexts[symbol].sometimes);
      if (!by_contexts[symbol].sometimes.empty()) ++sometimes;
    }
  }
  CHECK(sometimes > 20);
}

namespace {

// Two threads that read and write four variables, some of them under a lock.
std::string program_with_accesses(std::uint64_t seed) {
  Random random{seed};
  std::string body;
  for (int i = 0; i < 6; ++i) {
    const std::string statement = fmt::format("x{} = x{}; ", random.below(4), random.below(4));
    body += random.below(2) == 0 ? statement : fmt::format("sync (a{}) {{ {}}} ", random.below(2), statement);
  }
  return "var x0, x1, x2, x3; lock a0, a1; proc main() { spawn t(); t(); } proc t() { " + body + "}";
}

}  // namespace

TEST_CASE("groups of variables have all conflicts, and the verdicts that all of them have together") {
  std::size_t divided = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const std::string text = program_with_accesses(seed);
    CAPTURE(text);
    const Subject it = subject(text);
    std::vector<Conflict> all;
    std::vector<Conflict> racing;
    const std::vector<AccessGroup> groups = access_groups(it.lowered, {}, 1 + seed % 8);
    if (groups.size() > 1) ++divided;
    for (const AccessGroup& group : groups) {
      const std::vector<Conflict> some = conflicts(it.lowered, group);
      CHECK(some.size() == group.conflicts);
      all.insert(all.end(), some.begin(), some.end());
      const auto verdicts = decide(it.lowered.network, it.lowered, some, dpn::Semantics::LockSensitive);
      racing.insert(racing.end(), verdicts.racing.begin(), verdicts.racing.end());
    }
    std::ranges::sort(all);
    std::ranges::sort(racing);
    CHECK(all == conflicts(it.lowered));
    const auto together = decide(it.lowered.network, it.lowered, all, dpn::Semantics::LockSensitive);
    CHECK(racing == together.racing);
    CHECK(decide_all(it.lowered).racing == racing);
    CHECK(decide_all(it.lowered).apart == together.apart);
  }
  CHECK(divided > 100);
}

TEST_CASE("every race of a program without branches on values is executed with real values") {
  std::size_t executed = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const std::string text = lw::random_program(seed, small);
    CAPTURE(text);
    const Subject it = subject(text);
    for (const Conflict& race :
         decide(it.lowered.network, it.lowered, conflicts(it.lowered), dpn::Semantics::LockSensitive).racing) {
      const auto answer = solver::solve(it.lowered.network, conflict_problem(it.lowered, race));
      REQUIRE(answer.witness);
      CHECK(can_execute(it.program(), it.lowered, answer.witness->schedule));
      ++executed;
    }
  }
  CHECK(executed > 50);
}

TEST_CASE("values decide whether a schedule can be executed") {
  const auto certain = [](const std::string& text) {
    const Subject it = subject(text);
    const auto races =
        decide(it.lowered.network, it.lowered, conflicts(it.lowered), dpn::Semantics::LockSensitive).racing;
    REQUIRE(races.size() == 1);
    const auto answer = solver::solve(it.lowered.network, conflict_problem(it.lowered, races.front()));
    return can_execute(it.program(), it.lowered, answer.witness->schedule);
  };
  const std::string head = "var x, y = 3; proc main() { spawn t(2); x = 1; } ";
  CHECK(certain(head + "proc t(n) { if (y > n) { x = 2; } }"));
  CHECK_FALSE(certain(head + "proc t(n) { if (y < n) { x = 2; } }"));
  CHECK(certain(head + "proc t(n) { if (f(n) == 4) { x = 2; } } proc f(n) { return n * 2; }"));
  CHECK_FALSE(certain(head + "proc t(n) { if (f(n) == 5) { x = 2; } } proc f(n) { return n * 2; }"));
  CHECK(certain(head + "proc t(n) { try { n = n / (n - 2); } catch { x = 2; } }"));
  CHECK_FALSE(certain(head + "proc t(n) { try { n = n / (n - 1); } catch { x = 2; } }"));
  CHECK_FALSE(certain(head + "proc t(n) { assert(n > 2); x = 2; }"));
}

TEST_CASE("the reasons why accesses are apart") {
  const auto separation = [](const std::string& text) {
    const Subject it = subject(text);
    const auto verdicts = decide(it.lowered.network, it.lowered, conflicts(it.lowered), dpn::Semantics::LockSensitive);
    CHECK(verdicts.racing.empty());
    const auto found = separations(it.program(), it.lowered, verdicts.apart, AskOrder::Yes);
    REQUIRE(found.size() == verdicts.apart.size());
    // Of the conflict between the first and the last access.
    const auto last = std::ranges::find_if(verdicts.apart, [&](const Conflict& conflict) {
      return conflict.first == AccessId{0} && conflict.second.index() + 1 == it.lowered.accesses.size();
    });
    REQUIRE(last != verdicts.apart.end());
    return found[static_cast<std::size_t>(last - verdicts.apart.begin())];
  };
  CHECK(std::holds_alternative<OneThread>(separation("var x; proc main() { x = 1; x = 2; }")));
  const auto order_in = [&](const std::string& text) {
    const auto found = separation(text);
    return std::holds_alternative<NeverParallel>(found) ? std::get<NeverParallel>(found).order : Order::Unasked;
  };
  CHECK(order_in("var x; proc main() { x = 1; spawn t(); } proc t() { x = 2; }") == Order::FirstIsOver);
  CHECK(order_in("var x; proc main() { spawn t(); } proc t() { x = 1; x = 2; }") == Order::FirstIsOver);
  CHECK(order_in("var x; proc main() { spawn t(); } proc t() { while (*) { x = 1; x = 2; } }") == Order::Either);
  CHECK(order_in("var x; proc main() { choose { x = 1; } or { spawn t(); } } proc t() { x = 2; }") == Order::NeverBoth);
  const auto same = separation(
      "var x; lock a, b; proc main() { spawn t(); sync (b) { sync (a) { x = 1; } } } proc t() { sync (a) { x = 2; } }");
  REQUIRE(std::holds_alternative<SameLocks>(same));
  CHECK(std::get<SameLocks>(same).locks == std::vector{dpn::Lock{0}});
  const auto order = separation(R"(var x; lock a, b;
      proc main() { spawn t(); sync (a) { sync (b) { } x = 17; } }
      proc t() { sync (b) { sync (a) { } x = 42; } })");
  REQUIRE(std::holds_alternative<LockOrder>(order));
  CHECK(std::get<LockOrder>(order).locks == std::vector{dpn::Lock{0}, dpn::Lock{1}});
}

}  // namespace lockwood::findings
