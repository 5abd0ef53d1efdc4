#include <doctest/doctest.h>

#include <string>

#include "base/text/diagnostic.hpp"
#include "tests/oracle/treeauto/random_automaton.hpp"
#include "treeauto/automaton/shared_tree.hpp"
#include "treeauto/automaton/tree.hpp"

using namespace lockwood;
using namespace lockwood::treeauto;

namespace {

std::string failure(const std::string& text, const Alphabet& alphabet) {
  try {
    return to_text(read_tree(text, alphabet));
  } catch (const InputError& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("a term is read in free form and written without spaces") {
  const Tree tree = read_tree(" f ( a ,g(\n b()) ) ");
  CHECK(to_text(tree) == "f(a,g(b))");
  CHECK(tree.size() == 4);
  CHECK(height(tree) == 3);
  CHECK(subtree_sizes(tree) == std::vector<std::size_t>{4, 1, 2, 1});
  CHECK(read_tree("f(a,g(b))", tree.alphabet()) == tree);
}

TEST_CASE("trees are equal by names, whatever the numbers of their symbols") {
  const Tree tree = read_tree("f(a,b)");
  AlphabetBuilder builder;
  builder.add("b", 0);
  builder.add("a", 0);
  builder.add("f", 2);
  const Alphabet other = std::move(builder).build();
  CHECK(with_alphabet(tree, other) == tree);
  CHECK(tree != read_tree("f(b,a)"));
  CHECK(tree != read_tree("f(a)"));
}

TEST_CASE("wrong terms are reported with their place") {
  const Alphabet alphabet = read_tree("f(alpha,g(b))").alphabet();
  CHECK(failure("f(alpha", alphabet).starts_with("<term>:1:8: error: the term ends too early"));
  CHECK(failure("f(alpha,)", alphabet).starts_with("<term>:1:9: error: expected a symbol"));
  CHECK(failure("", alphabet).starts_with("<term>:1:1: error: expected a symbol"));
  CHECK(failure("b b", alphabet).starts_with("<term>:1:3: error: expected nothing more"));
  CHECK(failure("b)", alphabet).starts_with("<term>:1:2: error: expected nothing more"));
  CHECK(failure("f(\nalpha b)", alphabet).starts_with("<term>:2:7: error: expected ',' or ')'"));
  CHECK(failure("f(alpah,g)", alphabet) ==
        "<term>:1:3: error: unknown symbol 'alpah' of rank 0\n    f(alpah,g)\n      ^~~~~\n    did you mean 'alpha'?\n"
        "<term>:1:9: error: unknown symbol 'g' of rank 0\n    f(alpah,g)\n            ^\n    'g' has rank 1\n");
}

TEST_CASE("what is written is read back") {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Tree tree = random_tree(seed, random_alphabet(seed, 5, 3), 1 + seed % 60);
    CAPTURE(to_text(tree));
    CHECK(read_tree(to_text(tree), tree.alphabet()) == tree);
    CHECK(read_tree(to_text(tree)) == tree);
    CHECK(subtree_sizes(tree).front() == tree.size());
  }
}

TEST_CASE("a tree of depth one million is read, measured, copied and written") {
  std::string text;
  for (int i = 0; i < 1'000'000; ++i) text += "f(";
  text += 'a' + std::string(1'000'000, ')');
  const Tree tree = read_tree(text);
  CHECK(height(tree) == 1'000'001);
  CHECK(to_text(tree) == text);
  CHECK(subtree_sizes(tree).front() == 1'000'001);
}

TEST_CASE("a shared tree may stand for more nodes than could be written down") {
  AlphabetBuilder builder;
  const Symbol a = builder.add("a", 0);
  const Symbol f = builder.add("f", 2);
  SharedTree shared{std::move(builder).build()};
  std::uint32_t node = shared.add(a, {});
  for (int i = 0; i < 2; ++i) node = shared.add(f, std::vector{node, node});
  CHECK(to_text(unfolded(shared)) == "f(f(a,a),f(a,a))");
  CHECK_THROWS_AS((void)unfolded(shared, 6), TreeTooLarge);
  for (int i = 0; i < 60; ++i) node = shared.add(f, std::vector{node, node});
  CHECK(tree_size(shared) == (std::uint64_t{1} << 63U) - 1);
  node = shared.add(f, std::vector{node, node});
  CHECK(tree_size(shared) == ~std::uint64_t{0});
  node = shared.add(f, std::vector{node, node});
  CHECK(tree_size(shared) == ~std::uint64_t{0});
  CHECK_THROWS_AS((void)unfolded(shared), TreeTooLarge);
}
