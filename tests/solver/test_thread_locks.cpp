#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "dpn/generators/join_program.hpp"
#include "dpn/generators/lock_program.hpp"
#include "solver/analyses/lock_graph.hpp"
#include "solver/analyses/thread_locks.hpp"
#include "solver/engine/engine.hpp"
#include "solver/query/query_problem.hpp"
#include "tests/oracle/wide_model.hpp"

using namespace lockwood;
using namespace lockwood::solver;

namespace {

struct HeadCounts {
  std::size_t heads = 0;
  std::size_t nested = 0;   // a lock held while another one is not, though both can be held
  std::size_t several = 0;  // contexts of a head
};

// What the contexts of the engine tell, head by head, which enumerate the sets of held locks.
void compare_heads(const dpn::Network& network, HeadCounts& counts) {
  const Problem problem = unanswerable();
  Engine engine{network, problem, {.objective = Objective::Any}};
  (void)engine.run();
  std::map<dpn::Head, std::vector<LockSet>> sets;
  for (const Context& context : engine.contexts()) sets[context.head].push_back(engine.domain().lock_set(context.held));

  const ThreadLocks locks{network};
  REQUIRE(locks.heads().size() == sets.size());
  for (const auto& [head, each] : sets) {
    ++counts.heads;
    if (each.size() > 2) ++counts.several;
    LockSet held;
    LockSet lacked;
    for (dpn::Lock lock : network.locks().keys()) {
      LockSet held_without;
      for (const LockSet& set : each) {
        if (set.contains(lock))
          held.insert(lock);
        else
          lacked.insert(lock), held_without.insert(set);
      }
      CHECK(locks.held_without(head, lock) == held_without);
    }
    CHECK(locks.held(head) == held);
    CHECK(locks.lacked(head) == lacked);
    for (dpn::Lock lock : network.locks().keys())
      if (held.contains(lock) && !locks.held_without(head, lock).empty()) ++counts.nested;
  }
}

}  // namespace

TEST_CASE("locks of threads are those of the engine's contexts") {
  HeadCounts counts;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    CAPTURE(seed);
    compare_heads(oracle::wide_network(seed), counts);
    compare_heads(dpn::lock_program(seed), counts);
  }
  MESSAGE("heads: ", counts.heads, ", with several contexts: ", counts.several, ", nested: ", counts.nested);
  CHECK(counts.heads > 5'000);
  CHECK(counts.several > 200);
  CHECK(counts.nested > 200);
}

TEST_CASE("the lock graph is the same with few contexts and with many") {
  std::size_t edges = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    CAPTURE(seed);
    const dpn::Network network = seed % 2 == 0 ? dpn::lock_program(seed) : oracle::wide_network(seed);
    const auto by_contexts = lock_graph_with_joins(network);
    const auto by_pairs = lock_graph_with_joins(network, {}, 0);
    REQUIRE(by_pairs.size() == by_contexts.size());
    for (std::size_t i = 0; i < by_contexts.size(); ++i) {
      CHECK(by_pairs[i].holds == by_contexts[i].holds);
      CHECK(by_pairs[i].wants == by_contexts[i].wants);
      CHECK(by_pairs[i].places == by_contexts[i].places);
    }
    edges += by_contexts.size();
  }
  CHECK(edges > 300);
}

TEST_CASE("through joins, the lock graph without contexts has at least the same edges") {
  std::size_t through_joins = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    const dpn::Network network = dpn::join_program(seed);
    const auto more = lock_graph_with_joins(network, {}, 0);
    for (const LockEdge& edge : lock_graph_with_joins(network)) {
      if (edge.through_joins) ++through_joins;
      const LockEdge* same = edge_of(more, edge.holds, edge.wants, edge.through_joins);
      REQUIRE(same != nullptr);
      CHECK(std::ranges::includes(same->places, edge.places));
      CHECK(std::ranges::includes(same->wanting, edge.wanting));
    }
  }
  CHECK(through_joins > 50);
}
