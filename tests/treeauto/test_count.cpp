#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/oracle/treeauto/random_automaton.hpp"
#include "tests/oracle/treeauto/reference.hpp"
#include "treeauto/counting/count.hpp"
#include "treeauto/counting/count_all.hpp"
#include "treeauto/counting/enumerate.hpp"
#include "treeauto/counting/sample.hpp"
#include "treeauto/formats/timbuk.hpp"
#include "treeauto/operations/finiteness.hpp"
#include "treeauto/operations/universal.hpp"

using namespace lockwood;
using namespace lockwood::treeauto;

namespace {

Alphabet binary_trees() { return read_tree("f(a,a)").alphabet(); }

}  // namespace

TEST_CASE("counts are those of the trees, also if there are many runs on one tree") {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Automaton automaton = random_automaton(
        seed, {.states = 2 + seed % 4, .symbols = 3, .max_rank = 1 + seed % 3, .transitions = 5 + seed % 12});
    constexpr std::size_t max_nodes = 5;
    std::vector<std::size_t> expected(max_nodes + 1);
    for (const Tree& tree : reference::all_trees(automaton.alphabet(), max_nodes))
      if (reference::accepts(automaton, tree)) ++expected[tree.size()];
    CAPTURE(seed);
    CAPTURE(to_timbuk(automaton));
    TreeCounter counter{automaton};
    for (std::size_t nodes = 0; nodes <= max_nodes; ++nodes) CHECK(counter.count(nodes) == expected[nodes]);
    CHECK(count_trees(automaton, 4) == expected[4]);
  }
}

TEST_CASE("the number of all trees of a finite language is how many an enumeration yields") {
  std::size_t several = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const Automaton automaton = random_automaton(
        seed, {.states = 2 + seed % 5, .symbols = 4, .max_rank = 1 + seed % 3, .transitions = 3 + seed % 9});
    if (!is_finite(automaton)) continue;
    CAPTURE(seed);
    CAPTURE(to_timbuk(automaton));
    TreeEnumeration enumeration{automaton};
    std::size_t expected = 0;
    while (expected < 1000 && enumeration.next()) ++expected;
    if (expected == 1000) continue;
    CHECK(count_all_trees(automaton) == expected);
    if (expected > 2) ++several;
  }
  CHECK(several > 100);
}

TEST_CASE("all trees of a finite language are counted however large they are") {
  constexpr std::size_t levels = 10;
  std::string rules;
  for (std::size_t level = 0; level < levels; ++level)
    rules +=
        "f(q" + std::to_string(level) + ", q" + std::to_string(level) + ") -> q" + std::to_string(level + 1) + '\n';
  const std::string final = "Final States q" + std::to_string(levels) + "\nTransitions\n";
  const BigInteger two = 2;
  CHECK(count_all_trees(read_timbuk(final + "a -> q0\n" + rules, "one leaf")) == 1);
  CHECK(count_all_trees(read_timbuk(final + "a -> q0\nb -> q0\n" + rules, "two leaves")) == pow(two, 1U << levels));
}

TEST_CASE("enumeration yields the accepted trees by size, each once, and ends if there are no more") {
  std::size_t finite = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Automaton automaton = random_automaton(
        seed, {.states = 2 + seed % 4, .symbols = 3, .max_rank = 1 + seed % 2, .transitions = 3 + seed % 9});
    constexpr std::size_t max_nodes = 5;
    std::set<std::string> expected;
    for (const Tree& tree : reference::all_trees(automaton.alphabet(), max_nodes))
      if (reference::accepts(automaton, tree)) expected.insert(to_text(tree));
    CAPTURE(seed);
    CAPTURE(to_timbuk(automaton));
    TreeEnumeration enumeration{automaton};
    std::set<std::string> found;
    std::size_t size = 0;
    auto tree = enumeration.next();
    for (; tree && tree->size() <= max_nodes; tree = enumeration.next()) {
      CHECK(tree->size() >= size);
      size = tree->size();
      CHECK(found.insert(to_text(*tree)).second);
    }
    CHECK(found == expected);
    if (!is_finite(automaton)) continue;
    ++finite;
    for (std::size_t more = 0; tree && more < 10'000; ++more) tree = enumeration.next();
    CHECK_FALSE(tree.has_value());
    CHECK_FALSE(enumeration.next().has_value());
  }
  CHECK(finite > 300);
}

TEST_CASE("the largest tree of a finite language is the last of its enumeration") {
  std::size_t finite = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const Automaton automaton = random_automaton(
        seed, {.states = 2 + seed % 5, .symbols = 4, .max_rank = 1 + seed % 3, .transitions = 3 + seed % 9});
    CAPTURE(seed);
    CAPTURE(to_timbuk(automaton));
    const auto largest = largest_tree_size(automaton);
    REQUIRE(largest.has_value() == reference::is_finite(automaton));
    if (!largest) continue;
    std::vector<std::size_t> sizes{0};
    TreeEnumeration enumeration{automaton};
    while (sizes.size() < 1000)
      if (const auto tree = enumeration.next()) {
        sizes.push_back(tree->size());
      } else {
        break;
      }
    if (sizes.size() == 1000) continue;
    CHECK(sizes.back() == *largest);
    ++finite;
  }
  CHECK(finite > 500);
  CHECK_FALSE(largest_tree_size(read_timbuk("Final States q Transitions a->q s(q)->q", "f")).has_value());
}

TEST_CASE("the enumeration of a finite language with a high rank ends") {
  std::string text = "Final States r Transitions a -> q\ng(q";
  for (int i = 1; i < 200; ++i) text += ", q";
  TreeEnumeration enumeration{read_timbuk(text + ") -> p\nh(p, p) -> r", "f")};
  const auto tree = enumeration.next();
  REQUIRE(tree.has_value());
  CHECK(tree->size() == 403);
  CHECK_FALSE(enumeration.next().has_value());
}

TEST_CASE("enumeration can skip smaller trees") {
  TreeEnumeration enumeration{universal_automaton(binary_trees())};
  enumeration.skip_to(4);
  CHECK(to_text(*enumeration.next()) == "f(f(a,a),a)");
  enumeration.skip_to(2);
  CHECK(to_text(*enumeration.next()) == "f(a,f(a,a))");
}

TEST_CASE("binary trees are counted by the Catalan numbers, however large") {
  TreeCounter counter{universal_automaton(binary_trees())};
  CHECK(counter.count(0) == 0);
  CHECK(counter.count(1) == 1);
  CHECK(counter.count(2) == 0);
  CHECK(counter.count(201) == BigInteger{"896519947090131496687170070074100632420837521538745909320"});
  BigInteger catalan = 1;
  for (std::size_t n = 1; n <= 300; ++n) {
    catalan = catalan * (2 * (2 * n - 1)) / (n + 1);
    CHECK(counter.count(2 * n + 1) == catalan);
  }
}

TEST_CASE("all trees of a size are equally likely to be drawn") {
  TreeCounter counter{universal_automaton(read_tree("f(a,g(b))").alphabet())};
  Random random{7};
  const auto expected = static_cast<std::size_t>(counter.count(4));
  std::map<std::string, std::size_t> drawn;
  constexpr std::size_t draws = 40'000;
  for (std::size_t i = 0; i < draws; ++i) ++drawn[to_text(*sampled_tree(counter, 4, random))];
  CHECK(drawn.size() == expected);
  double deviation = 0;  // chi squared, with expected - 1 degrees of freedom
  const double mean = static_cast<double>(draws) / static_cast<double>(expected);
  for (const auto& [text, count] : drawn)
    deviation += (static_cast<double>(count) - mean) * (static_cast<double>(count) - mean) / mean;
  CHECK(deviation < 2.5 * static_cast<double>(expected));
}

// A number is drawn, and it stands for a tree: so each accepted tree of the size must have one number.
TEST_CASE("the numbers of trees stand for each accepted tree of the size once") {
  std::size_t trees = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Automaton automaton = random_automaton(
        seed, {.states = 2 + seed % 3, .symbols = 3, .max_rank = 1 + seed % 3, .transitions = 5 + seed % 8});
    CAPTURE(seed);
    std::map<std::size_t, std::set<std::string>> expected;  // by size
    for (const Tree& tree : reference::all_trees(automaton.alphabet(), 5))
      if (reference::accepts(automaton, tree)) expected[tree.size()].insert(to_text(tree));
    TreeCounter counter{automaton};
    for (std::size_t nodes = 1; nodes <= 5; ++nodes) {
      std::set<std::string> numbered;
      REQUIRE(counter.count(nodes) == expected[nodes].size());
      for (std::size_t number = 0; number < expected[nodes].size(); ++number)
        numbered.insert(to_text(counter.tree(nodes, number)));
      CHECK(numbered == expected[nodes]);
      trees += numbered.size();
    }
  }
  CHECK(trees > 5'000);
}

TEST_CASE("samples are accepted, have the size asked for and depend on the seed only") {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Automaton automaton = random_automaton(seed, {.states = 3, .symbols = 3, .transitions = 9});
    CAPTURE(seed);
    for (std::size_t nodes : {1U, 7U, 12U}) {
      const auto tree = sampled_tree(automaton, nodes, seed);
      CHECK(tree.has_value() == (count_trees(automaton, nodes) > 0));
      if (!tree) continue;
      CHECK(tree->size() == nodes);
      CHECK(reference::accepts(automaton, *tree));
      CHECK(*sampled_tree(automaton, nodes, seed) == *tree);
    }
  }
}

TEST_CASE("a random number below a bound takes every value") {
  Random random{3};
  std::set<BigInteger> small;
  for (int i = 0; i < 200; ++i) small.insert(random_below(5, random));
  CHECK(small.size() == 5);
  const BigInteger bound = BigInteger{1} << 64;
  BigInteger highest = 0;
  for (int i = 0; i < 200; ++i) {
    const BigInteger value = random_below(bound + 1, random);
    CHECK(value <= bound);
    highest = std::max(highest, value);
  }
  CHECK(highest > bound / 2);
}
