#include <doctest/doctest.h>

#include <string>

#include "tests/oracle/treeauto/random_automaton.hpp"
#include "tests/oracle/treeauto/reference.hpp"
#include "treeauto/lazy/lazy_exploration.hpp"
#include "treeauto/operations/trim.hpp"

using namespace lockwood;
using namespace lockwood::treeauto;

namespace {

// Accepts the trees with exactly `wanted` nodes; a state is a number of nodes, those above `wanted` are given up.
struct CountsNodes {
  using State = std::size_t;
  Alphabet symbols;
  std::size_t wanted;
  const Alphabet& alphabet() const { return symbols; }
  bool is_final(std::size_t count) const { return count == wanted; }
  template <class Sink>
  void each_target(Symbol, std::span<const std::size_t> children, Sink&& sink) const {
    std::size_t sum = 1;
    for (std::size_t child : children) sum += child;
    if (sum <= wanted) sink(sum);
  }
};

// Accepts the trees with at least `wanted` nodes, but says so by an order: more nodes are better.
struct AtLeastNodes {
  using State = std::size_t;
  Alphabet symbols;
  std::size_t wanted;
  const Alphabet& alphabet() const { return symbols; }
  bool is_final(std::size_t count) const { return count == wanted; }
  bool subsumes(std::size_t more, std::size_t fewer) const { return more >= fewer; }
  template <class Sink>
  void each_target(Symbol, std::span<const std::size_t> children, Sink&& sink) const {
    std::size_t sum = 1;
    for (std::size_t child : children) sum += child;
    sink(std::min(sum, wanted));
  }
};
static_assert(LazyAutomaton<CountsNodes> && !SubsumingAutomaton<CountsNodes> && SubsumingAutomaton<AtLeastNodes>);

Alphabet binary_trees() { return read_tree("f(a,a)").alphabet(); }

}  // namespace

TEST_CASE("a lazy automaton with infinitely many states can be searched") {
  const auto tree = smallest_tree(CountsNodes{binary_trees(), 7});
  REQUIRE(tree.has_value());
  CHECK(unfolded(*tree).size() == 7);
  CHECK_FALSE(smallest_tree(CountsNodes{binary_trees(), 8}).has_value());  // binary trees have an odd number of nodes
}

TEST_CASE("the smallest tree is found also when states are dropped by subsumption") {
  const auto tree = smallest_tree(AtLeastNodes{binary_trees(), 100});
  REQUIRE(tree.has_value());
  CHECK(tree_size(*tree) == 101);
  const auto other = some_tree(AtLeastNodes{binary_trees(), 100});
  REQUIRE(other.has_value());
  CHECK(tree_size(*other) >= 101);
}

TEST_CASE("a driver restricts what the lazy automaton is asked") {
  AutomatonBuilder builder{binary_trees()};  // the right comb: f(a, f(a, … a))
  const State leaf = builder.add_state();
  const State comb = builder.add_state();
  builder.set_final(comb);
  const Symbol f = *builder.find_symbol("f", 2);
  const Symbol a = *builder.find_symbol("a", 0);
  builder.add(a, {}, leaf);
  builder.add(a, {}, comb);
  builder.add(f, {leaf, comb}, comb);
  const Automaton combs = std::move(builder).build();
  const auto tree = smallest_tree(combs, CountsNodes{binary_trees(), 7});
  REQUIRE(tree.has_value());
  CHECK(to_text(unfolded(*tree)) == "f(a,f(a,f(a,a)))");
}

TEST_CASE("materialising the view of an automaton gives its accessible part") {
  std::size_t found = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Automaton automaton =
        random_automaton(seed, {.states = 5, .symbols = 4, .max_rank = 2 + seed % 2, .transitions = 12});
    CAPTURE(seed);
    const Automaton accessible = restricted(automaton, reference::accessible_states(automaton));
    const Automaton copy = materialised(LazyView{automaton});
    const Automaton driven = materialised(automaton, LazyView{automaton});
    const Automaton again = materialised(LazyView{copy});
    for (const Automaton& same : {copy, again}) {
      CHECK(same.state_count() == accessible.state_count());
      CHECK(same.transition_count() == accessible.transition_count());
      CHECK(same.final_states().size() == accessible.final_states().size());
    }
    std::optional<std::uint64_t> smallest;
    const auto sizes = reference::smallest_sizes(automaton);
    for (State state : automaton.final_states())
      if (sizes[state] && (!smallest || *sizes[state] < *smallest)) smallest = sizes[state];
    const auto tree = smallest_tree(LazyView{automaton});
    const auto square = smallest_tree(LazyProduct{LazyView{automaton}, LazyView{automaton}});
    const auto half_lazy = smallest_tree(automaton, LazyView{automaton});
    const auto of_square = smallest_tree(driven, LazyView{copy});
    for (const auto& same : {tree, square, half_lazy, of_square}) {
      REQUIRE(same.has_value() == smallest.has_value());
      if (!same) continue;
      ++found;
      CHECK(tree_size(*same) == *smallest);
      CHECK(reference::accepts(automaton, unfolded(*same)));
    }
  }
  CHECK(found > 1000);
}
