#include <doctest/doctest.h>

#include <algorithm>

#include "base/text/json.hpp"
#include "dpn/generators/lock_program.hpp"
#include "dpn/model/network_builder.hpp"
#include "solver/analyses/solve.hpp"
#include "tests/oracle/dpn/random_network.hpp"
#include "tests/oracle/solver/random_problem.hpp"
#include "tests/oracle/solver/shrunk_error.hpp"
#include "verify/verify.hpp"

using namespace lockwood;
using namespace lockwood::solver;

namespace {

// How often something happened that the tests are about.
struct Counts {
  std::size_t reachable = 0;
  std::size_t unreachable = 0;
  std::size_t fewer = 0;    // answered without respecting all locks
  std::size_t several = 0;  // respected more than one lock, and not all
};

// What is wrong with answers when locks are respected on demand: the verdict, the size of the witness, the certificate.
std::optional<std::string> lazy_flaw(const dpn::Network& network, const Problem& problem, SolveOptions options,
                                     Counts& counts) {
  options.locks = LockChoice::All;
  const Answer all = solve(network, problem, options);
  options.locks = LockChoice::Lazy;
  const Answer lazy = solve(network, problem, options);
  if (lazy.verdict != all.verdict)
    return std::string{"with all locks "} + to_string(all.verdict) + ", on demand " + to_string(lazy.verdict);
  ++(all.verdict == dpn::Verdict::Reachable ? counts.reachable : counts.unreachable);
  if (lazy.locks && lazy.locks->size() < network.locks().size()) {
    ++counts.fewer;
    if (lazy.locks->size() > 1) ++counts.several;
  }
  if (all.witness.has_value() != lazy.witness.has_value()) return "only one of them has a witness";
  if (all.witness && options.domain == DomainChoice::Explicit && all.witness->best != lazy.witness->best)
    return "only one of them has the best witness";
  if (all.witness && lazy.witness->best && all.witness->best && lazy.witness->tree.size() != all.witness->tree.size())
    return "smallest trees of " + std::to_string(all.witness->tree.size()) + " and " +
           std::to_string(lazy.witness->tree.size()) + " nodes";
  if (lazy.certificate) {
    const auto checked = verify::judge(network, lazy.certificate->dump(), "certificate");
    if (checked.flaw) return "the certificate is refused: " + *checked.flaw;
  } else if (options.certify && lazy.verdict == dpn::Verdict::Unreachable) {
    return "there is no certificate";
  }
  return std::nullopt;
}

void compare_on_lock_programs(std::uint64_t begin, std::uint64_t end, const dpn::LockProgramSizes& sizes,
                              const SolveOptions& options, Counts& counts) {
  for (std::uint64_t seed = begin; seed < end; ++seed) {
    CAPTURE(seed);
    const dpn::Network network = dpn::lock_program(seed, sizes);
    const dpn::Query query = dpn::lock_query(network, seed);
    const auto flaw = shrunk_error(network, query, [&](const dpn::Network& smaller, const dpn::Query& asked) {
      return lazy_flaw(smaller, problem_of(asked), options, counts);
    });
    CHECK_MESSAGE(!flaw, *flaw);
  }
}

// n procedures, each a region of a lock of its own, that call each other in every order, run by two threads.
dpn::Network mutual(std::size_t locks) {
  dpn::NetworkBuilder builder;
  const auto rule = [&](const std::string& from, dpn::Effect effect) {
    builder.add({{builder.control("p"), builder.stack(from)}, builder.action("a"), effect});
  };
  const auto head = [&](const std::string& top) { return dpn::Head{builder.control("p"), builder.stack(top)}; };
  rule("main", dpn::Spawn{head("go"), head("go")});
  for (std::size_t i = 0; i < locks; ++i) {
    const std::string name = std::to_string(i);
    rule("go", dpn::Call{head("f" + name), builder.stack("end")});
    rule("f" + name, dpn::Monitor{head("in" + name), builder.stack("out" + name), builder.lock("x" + name)});
    for (std::size_t j = 0; j < locks; ++j)
      if (i != j) rule("in" + name, dpn::Call{head("f" + std::to_string(j)), builder.stack("in" + name)});
    rule("in" + name, dpn::Base{head("deep" + name)});
    rule("deep" + name, dpn::Return{builder.control("p")});
    rule("out" + name, dpn::Return{builder.control("p")});
  }
  builder.initial(head("main"));
  return std::move(builder).build();
}

Problem conflict(const dpn::Network& network, const std::string& first, const std::string& second) {
  const auto goal = [&](const std::string& top) {
    return StandGoal{.tops = std::vector{*network.stack_symbols().find(top)}, .holding = {}, .wanting = {}};
  };
  return {.phases = {Phase{.standing = {goal(first), goal(second)}}}};
}

}  // namespace

TEST_CASE("answers are the same when locks are respected on demand") {
  Counts counts;
  compare_on_lock_programs(0, 1500, {.threads = 3, .locks = 4}, {.domain = DomainChoice::Explicit}, counts);
  compare_on_lock_programs(1500, 2000, {.threads = 4, .locks = 6}, {.witness = WitnessChoice::None}, counts);
  compare_on_lock_programs(2000, 2300, {.threads = 3, .locks = 4}, {.domain = DomainChoice::Zdd}, counts);
  compare_on_lock_programs(2300, 2800, {.threads = 3, .locks = 4},
                           {.domain = DomainChoice::Explicit, .reductions = Reductions::none()}, counts);
  MESSAGE(counts.reachable << " reachable, " << counts.unreachable << " unreachable, " << counts.fewer
                           << " with some locks only, " << counts.several << " with several but not all");
  CHECK(counts.reachable > 200);
  CHECK(counts.unreachable > 200);
  CHECK(counts.fewer > 500);
  CHECK(counts.several > 20);
}

TEST_CASE("certificates that respect some locks only are accepted") {
  Counts counts;
  compare_on_lock_programs(5000, 5600, {.threads = 3, .locks = 4}, {.domain = DomainChoice::Explicit, .certify = true},
                           counts);
  CHECK(counts.unreachable > 50);
}

TEST_CASE("problems with goals about locks and several phases get the same answers on demand") {
  Counts counts;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    CAPTURE(seed);
    const dpn::Network network = dpn::random_network(seed, {.locks = 5});
    Problem problem = random_problem(network, seed);
    problem.collect.reset();
    const auto flaw = shrunk_error(network, problem, [&](const dpn::Network& smaller, const Problem& asked) {
      return lazy_flaw(smaller, asked, {.domain = DomainChoice::Explicit}, counts);
    });
    CHECK_MESSAGE(!flaw, *flaw);
  }
  CHECK(counts.fewer > 100);
}

TEST_CASE("[full] answers are the same when locks are respected on demand, up to 12 locks") {
  Counts counts;
  compare_on_lock_programs(10'000, 60'000, {.threads = 3, .locks = 5}, {.domain = DomainChoice::Explicit}, counts);
  compare_on_lock_programs(60'000, 110'000, {.threads = 4, .locks = 12, .statements = 4},
                           {.witness = WitnessChoice::None}, counts);
  compare_on_lock_programs(110'000, 115'000, {.threads = 3, .locks = 6}, {.certify = true}, counts);
  MESSAGE(counts.reachable << " reachable, " << counts.unreachable << " unreachable, " << counts.fewer
                           << " with some locks only, " << counts.several << " with several but not all");
}

TEST_CASE("procedures that call each other inside of a hundred locks are decided by the one lock that matters") {
  const dpn::Network network = mutual(100);
  const Answer excluded = solve(network, conflict(network, "deep7", "deep7"));
  CHECK(excluded.verdict == dpn::Verdict::Unreachable);
  REQUIRE(excluded.locks);
  CHECK(excluded.locks->size() == 1);
  const Answer together = solve(network, conflict(network, "deep7", "deep8"));
  CHECK(together.verdict == dpn::Verdict::Reachable);
  CHECK(together.witness);
  CHECK(together.statistics.contexts < 20'000);
}

TEST_CASE("certificates that leave out a lock which they need are refused") {
  const dpn::Network network = mutual(3);
  const Problem problem = conflict(network, "deep1", "deep1");
  const Answer answer = solve(network, problem, {.locks = LockChoice::Lazy, .certify = true});
  REQUIRE(answer.certificate);
  REQUIRE((*answer.certificate)["locks"] == nlohmann::ordered_json::array({"x1"}));
  CHECK_FALSE(verify::judge(network, answer.certificate->dump(), "certificate").flaw);
  nlohmann::ordered_json changed = *answer.certificate;
  changed["locks"] = nlohmann::ordered_json::array();
  CHECK(verify::judge(network, changed.dump(), "certificate").flaw);
  changed["locks"] = {"x0", "x1"};  // then contexts with x0 are missing
  CHECK(verify::judge(network, changed.dump(), "certificate").flaw);
  changed.erase("locks");
  CHECK(verify::judge(network, changed.dump(), "certificate").flaw);
}
