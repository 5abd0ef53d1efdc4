#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "base/ids/random.hpp"
#include "dpn/formats/text_format.hpp"
#include "dpn/generators/lock_program.hpp"
#include "dpn/model/network_builder.hpp"
#include "solver/analyses/solve.hpp"
#include "solver/locks/lock_structure.hpp"

using namespace lockwood;
using namespace lockwood::dpn;
using namespace lockwood::solver;

namespace {

std::set<Lock> members(const LockSet& set) {
  std::set<Lock> result;
  set.for_each([&](Lock lock) { result.insert(lock); });
  return result;
}

// The same network with so many locks before its own that these are numbered beyond a machine word.
Network with_locks_before(const Network& network, std::size_t count) {
  Symbols symbols = network.symbols();
  symbols.locks = {};
  for (std::size_t i = 0; i < count; ++i) symbols.locks.intern("unused" + std::to_string(i));
  for (Lock lock : network.locks().keys()) symbols.locks.intern(network.locks().name(lock));
  NetworkBuilder builder{std::move(symbols)};
  builder.initial(network.initial());
  for (Rule rule : network.rules()) {
    if (auto* monitor = std::get_if<Monitor>(&rule.effect)) monitor->lock = Lock{monitor->lock.index() + count};
    builder.add(rule);
  }
  return std::move(builder).build();
}

}  // namespace

TEST_CASE("a set of locks is a set, whether it fits into a word or not") {
  Random random{11};
  for (int round = 0; round < 2000; ++round) {
    const std::size_t bound = random.below(2) == 0 ? 64 : 300;
    LockSet a;
    LockSet b;
    std::set<Lock> x;
    std::set<Lock> y;
    for (std::size_t i = random.below(8); i > 0; --i) {
      const Lock lock{random.below(bound)};
      a.insert(lock);
      x.insert(lock);
    }
    for (std::size_t i = random.below(8); i > 0; --i) {
      const Lock lock = !x.empty() && random.below(2) == 0 ? *x.begin() : Lock{random.below(bound)};
      b.insert(lock);
      y.insert(lock);
    }
    CHECK(members(a) == x);
    CHECK(a.size() == x.size());
    CHECK(a.empty() == x.empty());
    CHECK((a == b) == (x == y));
    if (x == y) CHECK(a.hash() == b.hash());
    CHECK(a.subset_of(b) == std::ranges::includes(y, x));
    CHECK(a.intersects(b) == std::ranges::any_of(x, [&](Lock lock) { return y.contains(lock); }));
    a.insert(b);
    x.insert(y.begin(), y.end());
    CHECK(members(a) == x);
  }
}

TEST_CASE("an order of locks is the transitive closure of its pairs, and has a cycle iff that has a loop") {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    Random random{seed};
    LockOrder order;
    std::set<std::pair<std::size_t, std::size_t>> closure;
    bool acyclic = true;
    for (std::size_t i = random.below(7); i > 0 && acyclic; --i) {
      const std::size_t from = 20 * random.below(5);  // some beyond a word
      const std::size_t to = 20 * random.below(5);
      acyclic = order.relate(Lock{from}, LockSet::of(Lock{to}));
      closure.emplace(from, to);
      for (std::size_t before = 0; before != closure.size();) {
        before = closure.size();
        for (const auto& [a, b] : std::set{closure})
          for (const auto& [c, d] : std::set{closure})
            if (b == c) closure.emplace(a, d);
      }
      CHECK(acyclic == std::ranges::none_of(closure, [](const auto& pair) { return pair.first == pair.second; }));
    }
    if (!acyclic) continue;
    std::set<std::pair<std::size_t, std::size_t>> pairs;
    for (const auto& [lock, related] : order.rows())
      for (Lock other : members(related)) pairs.emplace(lock.index(), other.index());
    CHECK(pairs == closure);
  }
}

TEST_CASE("verdicts do not depend on the numbers of locks, not even beyond a machine word") {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const Network network = lock_program(seed);
    const Network wide = with_locks_before(network, 200);
    for (std::uint64_t i = 0; i < 2; ++i) {
      const Query query = lock_query(network, 2 * seed + i);
      CAPTURE(to_dpn(network, {&query, 1}));
      REQUIRE(solve(wide, problem_of(query)).verdict == solve(network, problem_of(query)).verdict);
    }
  }
}

TEST_CASE("two hundred locks, one inside the other, are no problem") {
  std::string rules = "(m) -- start --> (m0 :> t0)\n";
  for (int i = 0; i < 200; ++i) {
    const std::string n = std::to_string(i);
    const std::string next = std::to_string(i + 1);
    rules += "(m" + n + ") -- take - x" + n + " --> (m" + next + ", e)\n";
    rules += "(t" + n + ") -- take - y" + n + " --> (t" + next + ", e)\n";
  }
  // Both take x0 at the end: main has it already, the other one wants it.
  rules += "(t200) -- take - x0 --> (t201, e)\n(m200) -- take - x0 --> (m201, e)\n";
  const ModelFile file = parse_dpn("dpn { initial (m) rules {\n" + rules + "} }\n" +
                                       "conflict {m201} {t200}\nconflict {m201} {t201}\nconflict {m} {t201}\n"
                                       "conflict {m0} {t201}\n",
                                   "text");
  const auto verdict = [&](std::size_t query) { return solve(file.network, problem_of(file.queries[query])).verdict; };
  CHECK(verdict(0) == Verdict::Reachable);
  CHECK(verdict(1) == Verdict::Unreachable);
  CHECK(verdict(2) == Verdict::Unreachable);  // the thread is not started then
  CHECK(verdict(3) == Verdict::Reachable);
}
