#include <doctest/doctest.h>

#include "dpn/formats/text_format.hpp"
#include "dpn/generators/generate.hpp"
#include "dpn/generators/generate_program.hpp"
#include "dpn/generators/lock_program.hpp"
#include "dpn/generators/random_query.hpp"
#include "solver/analyses/solve.hpp"
#include "solver/proofs/certificate.hpp"
#include "solver/reduction/reduction.hpp"
#include "tests/oracle/dpn/random_network.hpp"
#include "tests/oracle/solver/random_problem.hpp"
#include "tests/oracle/solver/shrunk_error.hpp"

using namespace lockwood;
using namespace lockwood::dpn;
using namespace lockwood::solver;

namespace {

// Every combination of reductions, by the bits of a number below 64.
Reductions combination(unsigned bits) {
  return {(bits & 1U) != 0, (bits & 2U) != 0, (bits & 4U) != 0, (bits & 8U) != 0, (bits & 16U) != 0, (bits & 32U) != 0};
}

std::size_t count(const ExecutionTree& tree, NodeKind kind) {
  std::size_t nodes = 0;
  for (NodeId node : tree.nodes())
    if (tree.kind(node) == kind) ++nodes;
  return nodes;
}

// Cuts weigh nothing: a witness may have more of them than another and be as good.
std::size_t size_without_cuts(const ExecutionTree& tree) { return tree.size() - count(tree, NodeKind::Cut); }

struct Tally {
  std::size_t reachable = 0;
  std::size_t unreachable = 0;
};

// solve() replays the witness, and throws if it does not replay.
std::optional<std::string> difference(const Network& network, const Problem& problem, std::uint64_t seed) {
  const auto choice = seed % 3 == 0 ? WitnessChoice::FewestThreads : WitnessChoice::Smallest;
  const Answer expected = solve(network, problem, {.witness = choice, .reductions = Reductions::none()});
  for (const unsigned bits : {63U, static_cast<unsigned>(seed % 64), 1U << (seed % 6)}) {
    const std::string with = " with the reductions " + std::to_string(bits);
    const Answer answer = solve(network, problem, {.witness = choice, .reductions = combination(bits)});
    if (answer.verdict != expected.verdict) return "another verdict" + with;
    if (!expected.witness) continue;
    const ExecutionTree& tree = answer.witness.value().tree;
    if (choice == WitnessChoice::FewestThreads &&
        count(tree, NodeKind::Spawn) != count(expected.witness->tree, NodeKind::Spawn))
      return "another number of threads" + with;
    if (size_without_cuts(tree) != size_without_cuts(expected.witness->tree)) return "a witness of another size" + with;
  }
  return std::nullopt;
}

void compare(const Network& network, const Problem& problem, std::uint64_t seed, Tally& tally) {
  const auto flaw = shrunk_error(network, problem, [seed](const Network& candidate, const Problem& question) {
    return difference(candidate, question, seed);
  });
  REQUIRE_MESSAGE(!flaw, *flaw);
  const Verdict verdict = solve(network, problem, {.witness = WitnessChoice::None}).verdict;
  ++(verdict == Verdict::Reachable ? tally.reachable : tally.unreachable);
}

void compare_with_random_problem(const Network& network, std::uint64_t seed, Tally& tally) {
  Problem problem = random_problem(network, seed);
  problem.collect.reset();
  compare(network, problem, seed, tally);
  compare(network, in_three_phases(network, problem, seed), seed, tally);
}

Tally compare_all(std::uint64_t first_seed, std::uint64_t last_seed) {
  Tally tally;
  for (std::uint64_t seed = first_seed; seed < last_seed; ++seed) {
    CAPTURE(seed);
    const Network network = random_network(seed);
    compare(network, problem_of(random_query(network, seed)), seed, tally);
    compare_with_random_problem(network, seed, tally);
    const Network program = lock_program(seed);
    for (std::uint64_t i = 0; i < 3; ++i)
      compare(program, problem_of(lock_query(program, 3 * seed + i)), seed + i, tally);
    compare_with_random_problem(program, seed, tally);
  }
  return tally;
}

// Where many rules do the same action, one that is required makes most places matter.
Tally compare_about_rules(std::uint64_t first_seed, std::uint64_t last_seed) {
  Tally tally;
  for (std::uint64_t seed = first_seed; seed < last_seed; ++seed) {
    CAPTURE(seed);
    for (const Network& network : {with_own_actions(random_network(seed)), with_own_actions(lock_program(seed))})
      compare(network, requiring_rules(network, seed), seed, tally);
  }
  return tally;
}

}  // namespace

TEST_CASE("verdicts and the sizes of witnesses are the same whatever is left out of the network") {
  const Tally tally = compare_all(0, 400);
  CHECK(tally.reachable > 300);
  CHECK(tally.unreachable > 300);
}

TEST_CASE("[full] verdicts and the sizes of many witnesses are the same whatever is left out of the network") {
  compare_all(400, 6000);
}

TEST_CASE("verdicts about programs are the same whatever is left out of them") {
  for (std::uint64_t seed = 0; seed < 25; ++seed) {
    CAPTURE(seed);
    const ModelFile model = generate_program({.procedures = 4 + seed % 5,
                                              .rules = 100,
                                              .locks = seed % 4,
                                              .nesting = 3,
                                              .spawns = 2,
                                              .variables = 2,
                                              .seed = seed});
    Tally tally;
    for (const Query& query : model.queries) compare(model.network, problem_of(query), seed, tally);
    compare(model.network, problem_of(random_query(model.network, QueryShape{.steps = 2}, seed)), seed, tally);
  }
}

TEST_CASE("verdicts about single rules are the same whatever is left out") {
  const Tally tally = compare_about_rules(0, 1000);
  CHECK(tally.reachable > 300);
  CHECK(tally.unreachable > 300);
}

TEST_CASE("[full] verdicts about many single rules are the same whatever is left out") {
  compare_about_rules(1000, 15'000);
}

TEST_CASE("what cannot matter is left out") {
  // Of main, the call of an inert procedure and two steps become one, and the logging thread does not move. The lock y
  // is used, but nobody has a reason to stand inside; x is held at the place asked for.
  const ModelFile model = parse_dpn(R"(
    dpn {
      initial (m0)
      rules {
        (m0) -- call --> (f0, m1)      (f0) -- step --> (f1)    (f1) -- step --> (f2)    (f2) -- return --> ()
        (m1) -- step --> (m2)
        (m2) -- log --> (m3 :> l0)     (l0) -- print --> (l0)
        (m3) -- spawn --> (m4 :> t0)
        (m4) -- sync - y --> (n0, m5)  (n0) -- step --> (n1)    (n1) -- leave --> ()
        (m5) -- sync - x --> (c0, m6)  (c0) -- step --> (c1)    (c1) -- leave --> ()
        (m6) -- step --> (m7)          (m7) -- step --> (m6)
        (t0) -- sync - y --> (u0, t1)  (u0) -- step --> (u1)    (u1) -- leave --> ()
        (t1) -- sync - x --> (c0, t2)  (t2) -- step --> (t0)
      }
    }
    conflict {c1} {c1})",
                                    "left-out.dpn");
  const Answer answer = solve(model.network, problem_of(model.queries.front()));
  CHECK(answer.verdict == Verdict::Unreachable);
  REQUIRE(answer.reduction.has_value());
  CHECK(answer.reduction->rules == model.network.rules().size());
  CHECK(answer.reduction->locks_left == 1);
  // m0 → m3; m3 spawns; m4 → m5; m5 and t1 enter c0; c0 → c1; c1 returns; t0 → t1; t2 → t1; m5 may still return: m6 has
  // no rules.
  CHECK(answer.reduction->rules_left == 9);
}

TEST_CASE("a place to which an odd step leads is not passed by") {
  // `a` may be done in the phases 1 and 3, `d` in 1 and 2; most rules do `a`.
  const ModelFile model = parse_dpn(R"(
    dpn { initial (m1) rules { (m1) -- a --> (m2 :> t1)   (t1) -- d --> (t2)   (t2) -- a --> (t3) } }
    iterate avoiding {}, avoiding {a}, {t3} avoiding {d})",
                                    "odd-step.dpn");
  CHECK(solve(model.network, problem_of(model.queries.front())).verdict == Verdict::Reachable);
}

TEST_CASE("a short way that is sometimes forbidden does not stand for a long one that is not") {
  // `a`, which most rules do, may be done in the first phase only. From k there are two ways to e.
  const ModelFile model = parse_dpn(R"(
    dpn { initial (m) rules { (m) -- a --> (n)   (n) -- a --> (s)   (s) -- b --> (k)
                              (k) -- a --> (e)   (k) -- b --> (l)   (l) -- b --> (e)   (e) -- a --> (e) } }
    iterate {s}, {e} avoiding {a})",
                                    "two-ways.dpn");
  CHECK(solve(model.network, problem_of(model.queries.front())).verdict == Verdict::Reachable);
}

TEST_CASE("many threads can be asked for at once") {
  // Philosophers that each hold a fork and want the next one, all of them at the same time.
  for (const std::int64_t count : {2, 5, 12, 40}) {
    CAPTURE(count);
    const ModelFile model = generate(family_named("philosophers"), std::vector<ParameterValue>{{"n", count}});
    for (const Query& query : model.queries) {
      const Answer answer = solve(model.network, problem_of(query));
      if (query.expected) CHECK(answer.verdict == *query.expected);
    }
  }
}
