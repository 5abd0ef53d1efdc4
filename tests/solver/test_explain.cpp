#include <doctest/doctest.h>

#include <algorithm>

#include "dpn/lock_program.hpp"
#include "dpn/only_locks.hpp"
#include "dpn/text_format.hpp"
#include "solver/explain.hpp"
#include "tests/dpn/random_network.hpp"

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

}  // namespace

TEST_CASE("a reason is true, and its locks are a minimal set that suffices") {
  std::size_t impossible = 0;
  std::size_t never = 0;
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
    if (const auto* held = std::get_if<HeldApart>(&reason)) {
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
      ++(std::holds_alternative<NeverTogether>(reason) ? never : impossible);
      REQUIRE(without_locks == Verdict::Unreachable);
      REQUIRE_FALSE(smallest_removal(network, problem).has_value());
    }
  }
  MESSAGE(impossible << " impossible, " << never << " never together, " << apart << " held apart");
  CHECK(impossible > 20);
  CHECK(never > 20);
  CHECK(apart > 50);
}

TEST_CASE("a common lock is the explanation if there is one") {
  const ModelFile file = parse_dpn(R"(dpn { initial (m) rules {
      (m) -- start --> (n :> t)
      (n) -- sync_y - y --> (n1, e)   (n1) -- sync_x - x --> (n2, n3)
      (t) -- sync_z - z --> (t1, e)   (t1) -- sync_x - x --> (t2, t3) } }
      conflict {n2} {t2})",
                                   "text");
  const Reason reason = explain(file.network, problem_of(file.queries.front()));
  const auto* held = std::get_if<HeldApart>(&reason);
  REQUIRE(held != nullptr);
  CHECK(held->locks == std::vector<Lock>{*file.network.locks().find("x")});
  CHECK(held->common == held->locks);
}
