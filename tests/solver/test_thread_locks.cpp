#include <doctest/doctest.h>

#include <map>

#include "dpn/generators/lock_program.hpp"
#include "solver/analyses/thread_locks.hpp"
#include "solver/engine/engine.hpp"
#include "solver/query/query_problem.hpp"
#include "tests/oracle/dpn/random_network.hpp"
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
