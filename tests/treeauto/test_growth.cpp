// How work grows: families on which a simpler algorithm would need quadratic time, at one size and at twice that size.
// Work is what the operations tell through their tokens, not time.

#include <doctest/doctest.h>

#include <cstddef>

#include "base/process/stop.hpp"
#include "tests/oracle/treeauto/growing_automata.hpp"
#include "treeauto/counting/enumerate.hpp"
#include "treeauto/lazy/inclusion.hpp"
#include "treeauto/lazy/lazy_complement.hpp"
#include "treeauto/lazy/two_way.hpp"
#include "treeauto/lazy/universality.hpp"
#include "treeauto/operations/deterministic.hpp"
#include "treeauto/operations/intersection.hpp"
#include "treeauto/operations/universal.hpp"
#include "treeauto/simulation/bisimulation.hpp"

using namespace lockwood;
using namespace lockwood::treeauto;

namespace {

template <class Operation>
std::size_t work_of(Operation&& operation) {
  StopSource source;
  static_cast<void>(operation(StopToken{source}));
  return source.work().facts;
}

// `operation(size, stop)` takes at least `least` and no more than about twice the work for twice the size.
template <class Operation>
void check_growth(std::size_t size, std::size_t least, Operation&& operation) {
  const std::size_t small = work_of([&](StopToken stop) { return operation(size, stop); });
  const std::size_t large = work_of([&](StopToken stop) { return operation(2 * size, stop); });
  CHECK(small >= least);
  CHECK(large <= 5 * small / 2);
}

// A complement that tells how often it was asked whether a set contains another.
class CountingComplement {
 public:
  using State = LazyComplement::State;
  CountingComplement(Automaton automaton, StopToken stop) : complement_{std::move(automaton)}, stop_{stop} {}
  [[nodiscard]] const Alphabet& alphabet() const { return complement_.alphabet(); }
  [[nodiscard]] bool is_final(State set) const { return complement_.is_final(set); }
  [[nodiscard]] bool subsumes(State smaller, State larger) const {
    stop_.report_progress({.contexts = 0, .facts = ++compared_});
    return complement_.subsumes(smaller, larger);
  }
  template <class Sink>
  void each_member(State set, Sink&& sink) const {
    complement_.each_member(set, sink);
  }
  template <class Sink>
  void each_target(Symbol symbol, std::span<const State> children, Sink&& sink) const {
    complement_.each_target(symbol, children, sink);
  }

 private:
  LazyComplement complement_;
  StopToken stop_;
  mutable std::size_t compared_ = 0;
};
static_assert(MemberAutomaton<CountingComplement>);
static_assert(MemberAutomaton<LazyProduct<CountingComplement, CountingComplement>>);

// Checks the growth of a search for a tree that no state of a chain accepts: all of its sets are an antichain.
template <class Search>
void check_antichain_growth(Search&& search) {
  check_growth(1000, 1000, [&](std::size_t size, StopToken stop) {
    const Automaton chain = growing_chain(size, "s", Finals::All);
    auto rejected = search(chain, CountingComplement{chain, stop}, stop);
    REQUIRE(rejected.has_value());
    CHECK(tree_size(*rejected) == size + 1);
    return rejected;
  });
}

}  // namespace

TEST_CASE("an intersection takes no work for pairs that no tree reaches") {
  check_growth(1000, 1, [](std::size_t size, StopToken stop) {
    Automaton both = intersection(growing_chain(size, "s", Finals::All), growing_chain(size, "t", Finals::All), stop);
    CHECK(both.state_count() == 1);
    return both;
  });
}

TEST_CASE("an intersection takes no work for pairs of transitions whose children no tree reaches") {
  for (SharedChild shared : {SharedChild::BeforeOthers, SharedChild::AfterOthers})
    check_growth(500, 500, [&](std::size_t size, StopToken stop) {
      const Automaton automaton = growing_fan(size, shared);
      Automaton both = intersection(automaton, automaton, stop);
      CHECK(both.state_count() == size + 2);
      CHECK(both.transition_count() == 2 * size + 1);
      return both;
    });
}

TEST_CASE("a chain is minimised in time n log n") {
  check_growth(1000, 1000, [](std::size_t size, StopToken stop) {
    auto minimal = minimised(determinised(growing_chain(size, "s", Finals::Last)), stop);
    CHECK(minimal.state_count() == size + 1);
    return minimal;
  });
}

TEST_CASE("the only tree of a chain is listed without a look at all states for each size") {
  check_growth(1000, 1000, [](std::size_t size, StopToken stop) {
    TreeEnumeration trees{growing_chain(size, "s", Finals::Last), stop};
    const auto only = trees.next();
    REQUIRE(only.has_value());
    CHECK(only->size() == size);
    CHECK_FALSE(trees.next().has_value());
    return size;
  });
}

TEST_CASE("bisimulations of a chain take time n log n") {
  for (const auto& bisimulation : {backward_bisimulation, forward_bisimulation})
    check_growth(1000, 900, [&](std::size_t size, StopToken stop) {
      auto blocks = bisimulation(growing_chain(size, "s", Finals::Last), stop);
      CHECK(blocks[State{size - 1}] == size - 1);
      return blocks;
    });
}

TEST_CASE("a set is compared with few of a long antichain") {
  for (InclusionMethod method : {InclusionMethod::Upward, InclusionMethod::Automatic})
    check_growth(1000, 1000, [&](std::size_t size, StopToken stop) {
      auto rejected = rejected_tree(growing_chain(size, "s", Finals::All), {.method = method}, stop);
      REQUIRE(rejected.has_value());
      CHECK(tree_size(*rejected) == size + 1);
      return rejected;
    });
}

TEST_CASE("a lazy exploration compares a state with few of a long antichain") {
  check_antichain_growth([](const Automaton&, const CountingComplement& complement, StopToken stop) {
    return smallest_tree(complement, stop);
  });
  check_antichain_growth([](const Automaton&, const CountingComplement& complement, StopToken stop) {
    return some_tree(complement, stop);
  });
  check_antichain_growth([](const Automaton& chain, const CountingComplement& complement, StopToken stop) {
    return some_tree(LazyProduct{complement, CountingComplement{chain, stop}}, stop);
  });
}

TEST_CASE("a two-way search compares a state with few of a long antichain") {
  check_antichain_growth([](const Automaton& chain, const CountingComplement& complement, StopToken stop) {
    return smallest_common_tree(DownwardView{universal_automaton(chain.alphabet())}, complement, stop);
  });
  check_antichain_growth([](const Automaton& chain, const CountingComplement& complement, StopToken stop) {
    return some_common_tree(DownwardView{universal_automaton(chain.alphabet())}, complement, stop);
  });
}
