#include <doctest/doctest.h>

#include <algorithm>

#include "base/ids/random.hpp"
#include "dpn/formats/text_format.hpp"
#include "dpn/formats/tree_text.hpp"
#include "dpn/generators/lock_program.hpp"
#include "dpn/trees/all_schedules.hpp"
#include "dpn/trees/cut.hpp"
#include "dpn/trees/schedule.hpp"
#include "dpn/trees/tree_of_execution.hpp"
#include "dpn/trees/tree_validity.hpp"
#include "solver/construction/successors.hpp"
#include "tests/oracle/dpn/random_network.hpp"
#include "tests/oracle/dpn/tree_generator.hpp"
#include "treeauto/counting/enumerate.hpp"
#include "treeauto/lazy/inclusion.hpp"
#include "treeauto/operations/membership.hpp"

// The sets of trees themselves, not only whether they are empty.

using namespace lockwood;
using namespace lockwood::dpn;
using namespace lockwood::solver;
using namespace lockwood::solver::reference;
using treeauto::Automaton;

namespace {

Network small_network(std::uint64_t seed) {
  if (seed % 2 == 0) return random_network(seed, {.controls = 2, .stacks = 4, .locks = 2, .actions = 2, .rules = 7});
  return dpn::testing::random_locking_network(seed, {.controls = 1, .stacks = 4, .locks = 2, .monitors = 2});
}

// The smallest trees of the set, with at most `size` nodes.
std::vector<treeauto::Tree> small_trees(const Automaton& automaton, std::size_t size, std::size_t count) {
  std::vector<treeauto::Tree> trees;
  treeauto::TreeEnumeration enumeration{automaton};
  while (trees.size() < count) {
    const std::optional<treeauto::Tree> tree = enumeration.next();
    if (!tree || tree->size() > size) break;
    trees.push_back(*tree);
  }
  return trees;
}

RuleSet random_rules(const Network& network, Random& random) {
  RuleSet rules(network.rules().size());
  for (RuleId rule : rules.keys()) rules[rule] = random.below(3) != 0;
  return rules;
}

// Whether some execution with this tree, in the given semantics, has a tree of `from` on its way and uses only allowed
// rules after that, by trying all of them.
bool comes_from(const TreeAlphabet& alphabet, const ExecutionTree& tree, const Automaton& from, const RuleSet& allowed,
                Semantics semantics) {
  const Network& network = alphabet.network();
  for (const Schedule& run : all_schedules(network, tree, semantics)) {
    for (std::size_t length = run.moves.size() + 1; length-- > 0;) {
      if (length < run.moves.size() && !allowed[run.moves[length].rule]) break;
      const ExecutionTree before = tree_of_execution(network, std::span{run.moves}.first(length));
      if (treeauto::accepts(from, to_tree(alphabet, before))) return true;
    }
  }
  return false;
}

}  // namespace

TEST_CASE("trees of executions are in post*, and in lspost* iff they have a lock-sensitive schedule") {
  std::size_t only_insensitive = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Network network = small_network(seed);
    const TreeAlphabet alphabet{network};
    const Automaton sensitive = reachable_trees(alphabet);
    const Automaton insensitive = reachable_trees(alphabet, {.semantics = Semantics::LockInsensitive});
    for (std::uint64_t run_seed = 0; run_seed < 8; ++run_seed) {
      const Semantics semantics = run_seed % 2 == 0 ? Semantics::LockSensitive : Semantics::LockInsensitive;
      const Schedule run = dpn::testing::random_execution(network, run_seed, {.cuts = 0}, semantics);
      const ExecutionTree execution = tree_of_execution(network, run.moves);
      const treeauto::Tree tree = to_tree(alphabet, execution);
      CAPTURE(seed);
      CAPTURE(to_text(network, execution));
      REQUIRE(treeauto::accepts(insensitive, tree));
      const bool schedulable = schedule_of(network, execution, Semantics::LockSensitive).has_value();
      REQUIRE(treeauto::accepts(sensitive, tree) == schedulable);
      if (semantics == Semantics::LockSensitive) REQUIRE(schedulable);
      if (!schedulable) ++only_insensitive;
    }
  }
  CHECK(only_insensitive > 20);
}

TEST_CASE("every small tree of lspost* is valid and has a schedule") {
  std::size_t trees = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const Network network = small_network(seed);
    const TreeAlphabet alphabet{network};
    for (const treeauto::Tree& tree : small_trees(reachable_trees(alphabet), 10, 100)) {
      const ExecutionTree execution = to_execution_tree(alphabet, tree);
      CAPTURE(seed);
      CAPTURE(to_text(network, execution));
      REQUIRE(!tree_problem(network, execution));
      REQUIRE(schedule_of(network, execution, Semantics::LockSensitive));
      REQUIRE(schedule_exists(network, execution, Semantics::LockSensitive));
      ++trees;
    }
  }
  MESSAGE(trees << " trees");
  CHECK(trees > 1000);
}

TEST_CASE("successors of a set are exactly the trees of executions through the set") {
  std::size_t yes = 0;
  std::size_t no = 0;
  for (std::uint64_t seed = 0; seed < 90; ++seed) {
    const Network network = small_network(seed);
    const TreeAlphabet alphabet{network};
    Random random{seed};
    const Semantics semantics = seed % 5 == 0 ? Semantics::LockInsensitive : Semantics::LockSensitive;
    const RuleSet allowed = random_rules(network, random);
    Step first{.semantics = semantics, .standing = {random_query(network, seed).steps.front().positions.front()}};
    const Automaton from = reachable_trees(alphabet, first);
    if (from.state_count() > 50) continue;  // takes long
    const Automaton after = successors(alphabet, from, {.semantics = semantics, .allowed = allowed});
    CAPTURE(seed);
    CAPTURE(to_dpn(network, {}));
    REQUIRE(is_included(from, after));
    // Trees of the set, and any others.
    std::vector<treeauto::Tree> trees = small_trees(after, 7, 50);
    for (const treeauto::Tree& tree : small_trees(reachable_trees(alphabet, {.semantics = semantics}), 7, 50))
      trees.push_back(tree);
    for (const treeauto::Tree& tree : trees) {
      const ExecutionTree execution = to_execution_tree(alphabet, tree);
      CAPTURE(to_text(network, execution));
      const bool expected = comes_from(alphabet, execution, from, allowed, semantics);
      REQUIRE(treeauto::accepts(after, tree) == expected);
      ++(expected ? yes : no);
    }
  }
  MESSAGE(yes << " successors, " << no << " others");
  CHECK(yes > 500);
  CHECK(no > 200);
}

TEST_CASE("successors of the initial tree are the reachable trees") {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Network network = small_network(seed);
    const TreeAlphabet alphabet{network};
    Random random{seed};
    Step step{.allowed = random_rules(network, random)};
    if (seed % 3 == 0) step.semantics = Semantics::LockInsensitive;
    CAPTURE(seed);
    REQUIRE(are_equivalent(successors(alphabet, initial_tree(alphabet), step), reachable_trees(alphabet, step)));
  }
}

TEST_CASE("the reachable trees of programs with locks are closed under going on") {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Network network = lock_program(seed, {.threads = 2, .locks = 2, .statements = 2, .nesting = 2});
    const TreeAlphabet alphabet{network};
    const Automaton reachable = reachable_trees(alphabet);
    CAPTURE(seed);
    REQUIRE(are_equivalent(successors(alphabet, reachable), reachable));
  }
}
