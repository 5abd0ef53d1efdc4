// The second brute force against the first, and how much the wide models and questions have in them.
#include <doctest/doctest.h>

#include <array>

#include "dpn/formats/text_format.hpp"
#include "dpn/semantics/explore.hpp"
#include "solver/analyses/solve.hpp"
#include "solver/query/query_problem.hpp"
#include "solver/reduction/reduction.hpp"
#include "tests/oracle/dpn/random_network.hpp"
#include "tests/oracle/state_space.hpp"
#include "tests/oracle/ways_to_solve.hpp"
#include "tests/oracle/wide_model.hpp"

using namespace lockwood;
using namespace lockwood::dpn;
using namespace lockwood::solver;

namespace {

Query asked_alone(const QueryStep& step, Semantics semantics) {
  return {.form = QueryForm::Iterate, .semantics = semantics, .steps = {{.positions = step.positions}}};
}

bool reachable(const Network& network, const Query& query) {
  return solve(network, problem_of(query), {.witness = WitnessChoice::None}).verdict == Verdict::Reachable;
}

// Without avoided and required actions, each step can be made by itself.
bool steps_possible(const Network& network, const Query& query, Semantics semantics) {
  return std::ranges::all_of(query.steps,
                             [&](const QueryStep& step) { return reachable(network, asked_alone(step, semantics)); });
}

// What leaving out one thing alone does to the network or, for goals, to the number of facts.
bool removes_something(const Network& network, const Problem& problem, bool Reductions::*member) {
  Reductions reductions = Reductions::none();
  reductions.*member = true;
  if (member == &Reductions::goals) {
    const auto facts = [&](const Reductions& how) {
      return solve(network, problem,
                   {.witness = WitnessChoice::None, .domain = DomainChoice::Explicit, .reductions = how})
          .statistics.facts;
    };
    return facts(reductions) != facts(Reductions::none());
  }
  const BackwardFlow flow{network};
  const Reduction reduction{network, flow, problem, reductions, 0};
  const auto sorted = [](const Network& of) {
    std::vector<Rule> rules{of.rules().begin(), of.rules().end()};
    std::ranges::sort(rules);
    return rules;
  };
  return sorted(reduction.network()) != sorted(network);
}

}  // namespace

TEST_CASE("both brute forces give the same verdicts, and replay each other's schedules") {
  std::size_t reachable = 0;
  std::size_t unreachable = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const Network network =
        seed % 3 == 0 ? random_network(seed) : oracle::wide_network(seed, {.threads = 3, .points = 5});
    const Query query = seed % 3 == 0 ? random_query(network, seed) : oracle::wide_query(network, seed);
    CAPTURE(seed);
    CAPTURE(to_dpn(network, {&query, 1}));
    const oracle::Outcome outcome =
        oracle::decide(network, problem_of(query), {.states = 5000, .depth = 8, .threads = 4});
    const ExploreAnswer other = explore_query(network, query, {.configurations = 5000, .stack_depth = 8, .threads = 4});
    if (outcome.verdict == Verdict::Unknown || other.verdict == Verdict::Unknown) continue;
    REQUIRE(outcome.verdict == other.verdict);
    ++(outcome.verdict == Verdict::Reachable ? reachable : unreachable);
    if (other.verdict != Verdict::Reachable) continue;
    Schedule schedule;
    for (const auto& part : other.schedule) {
      schedule.moves.insert(schedule.moves.end(), part.begin(), part.end());
      schedule.cuts.push_back(schedule.moves.size());
    }
    schedule.cuts.pop_back();
    const auto error = oracle::replay_error(network, problem_of(query), schedule);
    REQUIRE_MESSAGE(!error, *error);
    // The schedule is a shortest one: without its last move it does not answer.
    if (schedule.moves.empty() || (!schedule.cuts.empty() && schedule.cuts.back() == schedule.moves.size())) continue;
    schedule.moves.pop_back();
    CHECK(oracle::replay_error(network, problem_of(query), schedule).has_value());
  }
  CHECK(reachable > 500);
  CHECK(unreachable > 500);
}

TEST_CASE("a move that takes a lock of another thread does not replay, unless locks are ignored") {
  const ModelFile model = parse_dpn(R"(
    dpn { initial (m0) rules {
      (m0) -- a --> (m1 :> t0)     (m1) -- a - x --> (m2, m3)     (t0) -- a - x --> (t1, t2)    (t1) -- a --> ()
    } }
    conflict {m2} {t1})",
                                    "both.dpn");
  Problem problem = problem_of(model.queries.front());
  const Schedule both{.moves = {{ThreadId{0}, RuleId{0}}, {ThreadId{0}, RuleId{1}}, {ThreadId{1}, RuleId{2}}},
                      .cuts = {}};
  CHECK(oracle::replay_error(model.network, problem, both) == "move 3 takes a lock of another thread");
  CHECK(oracle::decide(model.network, problem).verdict == Verdict::Unreachable);
  problem.semantics = Semantics::LockInsensitive;
  CHECK_FALSE(oracle::replay_error(model.network, problem, both).has_value());
  CHECK(oracle::decide(model.network, problem).verdict == Verdict::Reachable);
}

TEST_CASE("wide questions are of all classes, and every reduction has something to remove") {
  constexpr std::array<bool Reductions::*, 6> members{&Reductions::rules,      &Reductions::spawns, &Reductions::locks,
                                                      &Reductions::procedures, &Reductions::chains, &Reductions::goals};
  constexpr std::array names{"rules", "spawns", "locks", "procedures", "chains", "goals"};
  constexpr std::size_t questions = 1000;
  std::size_t positive = 0, by_locks = 0, by_phases = 0, by_both = 0, several_phases = 0, six_locks = 0;
  std::array<std::size_t, members.size()> removing{};
  for (std::uint64_t seed = 0; seed < questions; ++seed) {
    const Network network = oracle::wide_network(seed / 2);
    const Query query = oracle::wide_query(network, seed);
    if (query.steps.size() > 1) ++several_phases;
    if (network.locks().size() >= 5) ++six_locks;
    for (std::size_t i = 0; i < members.size(); ++i)
      if (removes_something(network, problem_of(query), members[i])) ++removing[i];
    if (reachable(network, query)) {
      ++positive;
      continue;
    }
    Query without_locks = query;
    without_locks.semantics = Semantics::LockInsensitive;
    const bool locks_matter = reachable(network, without_locks);
    const bool phases_matter = steps_possible(network, query, query.semantics);
    if (locks_matter && phases_matter) ++by_both;
    if (locks_matter && !phases_matter) ++by_locks;
    if (!locks_matter && phases_matter) ++by_phases;
  }
  MESSAGE("of " << questions << " questions, " << positive << " are reachable; unreachable are by locks only "
                << by_locks << ", by phases only " << by_phases << ", by locks and phases together " << by_both
                << "; several phases have " << several_phases << ", five or more locks " << six_locks);
  constexpr std::size_t least = questions / 20;  // 5 %
  CHECK(positive >= least);
  CHECK(by_locks >= least);
  CHECK(by_phases >= least);
  CHECK(by_both >= least);
  CHECK(several_phases >= 2 * questions / 5);
  CHECK(six_locks >= least);
  for (std::size_t i = 0; i < members.size(); ++i) {
    MESSAGE("something is removed by the reduction " << std::string{names[i]} << " in " << removing[i]);
    CHECK(removing[i] >= least);
  }
}

TEST_CASE("answers to wide questions are those of brute force, in every way to solve them") {
  std::size_t verdicts = 0;
  for (std::uint64_t seed = 0; seed < 800; ++seed) {
    const Network network = oracle::wide_network(seed);
    const Query query = oracle::wide_query(network, seed);
    const Problem plain = problem_of(query);
    const Problem problem = seed % 3 == 0 ? oracle::with_lock_goals(network, plain, seed) : plain;
    const Verdict truth = oracle::decide(network, problem).verdict;
    if (truth == Verdict::Unknown) continue;
    CAPTURE(seed);
    CAPTURE(to_dpn(network, {&query, 1}));
    const auto wrong = oracle::wrong_answer(network, problem, truth, oracle::ways_to_solve(seed), verdicts);
    REQUIRE_MESSAGE(!wrong, *wrong);
  }
  CHECK(verdicts > 12'000);
}
