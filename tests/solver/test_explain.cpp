#include <doctest/doctest.h>

#include <algorithm>

#include "dpn/formats/text_format.hpp"
#include "dpn/generators/join_program.hpp"
#include "dpn/generators/lock_program.hpp"
#include "dpn/model/network_builder.hpp"
#include "dpn/model/only_locks.hpp"
#include "solver/analyses/deadlock.hpp"
#include "solver/analyses/explain.hpp"
#include "tests/oracle/dpn/random_network.hpp"
#include "tests/oracle/solver/random_problem.hpp"

using namespace lockwood;
using namespace lockwood::dpn;
using namespace lockwood::solver;

namespace {

using Kept = IdVector<Lock, bool>;

Verdict verdict_with(const Network& network, const Problem& problem, const Kept& kept) {
  return solve(with_only_locks(network, kept), problem).verdict;
}

Kept only(const Network& network, const std::vector<Lock>& locks) {
  Kept kept(network.locks().size(), false);
  for (Lock lock : locks) kept[lock] = true;
  return kept;
}

Kept all_but(const Network& network, const std::vector<Lock>& locks) {
  Kept kept(network.locks().size(), true);
  for (Lock lock : locks) kept[lock] = false;
  return kept;
}

// The least number of locks to remove, by trying all subsets.
std::optional<std::size_t> least_removal(const Network& network, const Problem& problem) {
  std::optional<std::size_t> least;
  for (std::size_t subset = 0; subset < (std::size_t{1} << network.locks().size()); ++subset) {
    Kept kept(network.locks().size(), true);
    for (Lock lock : kept.keys())
      if ((subset >> lock.index() & 1U) != 0) kept[lock] = false;
    const auto removed = static_cast<std::size_t>(std::popcount(subset));
    if ((!least || removed < *least) && verdict_with(network, problem, kept) == Verdict::Reachable) least = removed;
  }
  return least;
}

// Two threads hold the same lock; or they stand in a cycle; or one holds a lock besides standing where it should; or a
// random automaton observes them.
Problem problem_about_locks(const Network& network, std::uint64_t seed) {
  const Lock x{seed / 4 % network.locks().size()};
  const Lock y{(seed / 4 + 1) % network.locks().size()};
  Problem problem = problem_of(lock_query(network, seed));
  switch (seed % 4) {
    case 0: return {.phases = {Phase{.standing = {StandGoal{.holding = x}, StandGoal{.holding = x}}}}};
    case 1: return cycle_problem(CycleShape::of_locks({x, y}));
    case 2: problem.phases.back().standing.push_back({.holding = x}); return problem;
    default: return observed(network, problem, seed);
  }
}

}  // namespace

TEST_CASE("a reason is true, and its locks are a minimal set that suffices") {
  std::size_t impossible = 0;
  std::size_t never_together = 0;
  std::size_t apart = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const Network network = lock_program(seed, {.locks = 4});
    const Query query = seed % 2 == 0 ? lock_query(network, seed) : random_query(network, seed);
    const Problem problem = problem_of(query);
    if (query.semantics == Semantics::LockInsensitive || solve(network, problem).verdict == Verdict::Reachable)
      continue;
    CAPTURE(seed);
    CAPTURE(to_dpn(network, {&query, 1}));
    const Verdict without_locks = verdict_with(network, problem, only(network, {}));
    const Reason reason = explain(network, problem);
    if (const auto* held = std::get_if<Excluded>(&reason)) {
      ++apart;
      REQUIRE(without_locks == Verdict::Reachable);
      REQUIRE(verdict_with(network, problem, only(network, held->locks)) == Verdict::Unreachable);
      for (Lock lock : held->locks) {
        Kept fewer = only(network, held->locks);
        fewer[lock] = false;
        REQUIRE(verdict_with(network, problem, fewer) == Verdict::Reachable);
      }
      const auto removal = smallest_removal(network, problem);
      REQUIRE(removal.has_value());
      REQUIRE(verdict_with(network, problem, all_but(network, *removal)) == Verdict::Reachable);
      REQUIRE(removal->size() == least_removal(network, problem));
    } else {
      ++(std::holds_alternative<GoalImpossible>(reason) ? impossible : never_together);
      REQUIRE(without_locks == Verdict::Unreachable);
      REQUIRE_FALSE(smallest_removal(network, problem).has_value());
    }
  }
  MESSAGE(impossible << " impossible, " << never_together << " never together, " << apart << " excluded");
  CHECK(impossible > 20);
  CHECK(never_together > 20);
  CHECK(apart > 50);
}

// The network without groups for these joins: the others are steps.
Network with_joins(const Network& network, const std::vector<RuleId>& waiting) {
  NetworkBuilder builder{Symbols{network.symbols()}};
  builder.initial(network.initial());
  for (RuleId id : network.rules().keys()) {
    Rule rule = network.rule(id);
    if (const auto* join = std::get_if<Join>(&rule.effect); join != nullptr && std::ranges::count(waiting, id) == 0)
      rule.effect = Base{Head{join->to}};
    builder.add(std::move(rule));
  }
  return std::move(builder).build();
}

TEST_CASE("joins that explain suffice without locks, and each of them is needed") {
  std::size_t ended = 0;
  std::size_t of_several = 0;
  std::size_t others = 0;
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    const Network network = join_program(seed, {.threads = 3, .statements = 2});
    Query query = join_query(network, 4 * seed + 1);
    const Problem problem = problem_of(query);
    if (solve(network, problem).verdict == Verdict::Reachable) continue;
    CAPTURE(seed);
    CAPTURE(to_dpn(network, {&query, 1}));
    query.semantics = Semantics::LockInsensitive;
    const auto verdict = [&](const std::vector<RuleId>& waiting) {
      return solve(with_joins(network, waiting), problem_of(query)).verdict;
    };
    const Reason reason = explain(network, problem);
    const auto* found = std::get_if<EndedByThen>(&reason);
    if (found == nullptr) {
      ++others;
      const bool by_locks = solve(network, problem_of(query)).verdict == Verdict::Reachable;
      REQUIRE(std::holds_alternative<Excluded>(reason) == by_locks);
      if (!by_locks) REQUIRE(verdict({}) == Verdict::Unreachable);
      continue;
    }
    ++ended;
    if (found->joins.size() > 1) ++of_several;
    REQUIRE(verdict(found->joins) == Verdict::Unreachable);
    for (RuleId join : found->joins) {
      std::vector<RuleId> fewer = found->joins;
      std::erase(fewer, join);
      REQUIRE(verdict(fewer) == Verdict::Reachable);
    }
  }
  MESSAGE(ended << " ended by then, " << of_several << " of them by several joins; " << others << " others");
  CHECK(ended > 5);
  CHECK(others > 5);
}

TEST_CASE("a common lock is the explanation if there is one") {
  const ModelFile file = parse_dpn(R"(dpn { initial (m) rules {
      (m) -- start --> (n :> t)
      (n) -- sync_y - y --> (n1, e)   (n1) -- sync_x - x --> (n2, n3)
      (t) -- sync_z - z --> (t1, e)   (t1) -- sync_x - x --> (t2, t3) } }
      conflict {n2} {t2})",
                                   "text");
  const Reason reason = explain(file.network, problem_of(file.queries.front()));
  const auto* held = std::get_if<Excluded>(&reason);
  REQUIRE(held != nullptr);
  CHECK(held->locks == std::vector<Lock>{*file.network.locks().find("x")});
  CHECK(held->common == held->locks);
}

TEST_CASE("a reason is true and minimal if goals are about locks, and if there are observers") {
  std::size_t apart = 0;
  std::size_t about_locks = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const Network network = lock_program(seed, {.locks = 4});
    if (network.locks().size() < 2) continue;
    const Problem problem = problem_about_locks(network, seed);
    const auto verdict_of = [&](const Kept& kept) {
      return solve(network, problem, {.witness = WitnessChoice::None, .excluding = &kept}).verdict;
    };
    if (verdict_of(all_but(network, {})) == Verdict::Reachable) continue;
    CAPTURE(seed);
    CAPTURE(to_dpn(network, {}));
    const Reason reason = explain(network, problem);
    const auto removal = smallest_removal(network, problem);
    const auto* held = std::get_if<Excluded>(&reason);
    REQUIRE((held != nullptr) == removal.has_value());
    if (held == nullptr) continue;
    ++apart;
    for (const Phase& phase : problem.phases)
      for (const StandGoal& goal : phase.standing)
        if (goal.holding || goal.wanting) ++about_locks;
    CHECK_FALSE(held->example.empty());
    REQUIRE(verdict_of(only(network, held->locks)) == Verdict::Unreachable);
    for (Lock lock : held->locks) {
      Kept fewer = only(network, held->locks);
      fewer[lock] = false;
      REQUIRE(verdict_of(fewer) == Verdict::Reachable);
    }
    REQUIRE(verdict_of(all_but(network, *removal)) == Verdict::Reachable);
  }
  MESSAGE(apart << " excluded, " << about_locks << " goals about locks");
  CHECK(apart > 30);
  CHECK(about_locks > 20);
}

TEST_CASE("locks that a goal names are held and wanted though they do not exclude") {
  const ModelFile file = parse_dpn(R"(dpn { locks { x y g } initial (m1) rules {
      (m1)--start-->(m2 :> t1)
      (m2)--eg - g-->(m3,m9) (m3)--ex - x-->(m4,m8) (m4)--ey - y-->(m5,m7) (m5)--l-->() (m7)--l-->() (m8)--l-->()
      (t1)--eg - g-->(t3,t9) (t3)--ey - y-->(t4,t8) (t4)--ex - x-->(t5,t7) (t5)--l-->() (t7)--l-->() (t8)--l-->() } })",
                                   "gate.dpn");
  const Problem cycle =
      cycle_problem(CycleShape::of_locks({*file.network.locks().find("x"), *file.network.locks().find("y")}));
  const std::vector<Lock> gate{*file.network.locks().find("g")};
  const Reason reason = explain(file.network, cycle);
  const auto* held = std::get_if<Excluded>(&reason);
  REQUIRE(held != nullptr);
  CHECK(held->locks == gate);
  CHECK(held->common == gate);
  CHECK(smallest_removal(file.network, cycle) == gate);
}

TEST_CASE("actions that are avoided or required are the reason only if they are to blame") {
  const ModelFile file = parse_dpn(R"(dpn { initial (m) rules {
      (m) -- a --> (n)  (n) -- start --> (n1 :> t)  (t) -- b --> (t1) } }
      iterate {n} avoiding {a}
      iterate {n} and {t1})",
                                   "text");
  CHECK(std::holds_alternative<ConditionsUnmet>(explain(file.network, problem_of(file.queries[0]))));
  CHECK(std::holds_alternative<NeverTogether>(explain(file.network, problem_of(file.queries[1]))));
}
