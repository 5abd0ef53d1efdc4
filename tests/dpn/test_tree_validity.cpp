#include <doctest/doctest.h>

#include <optional>
#include <random>

#include "dpn/formats/tree_text.hpp"
#include "dpn/model/network_builder.hpp"
#include "dpn/trees/tree_of_execution.hpp"
#include "dpn/trees/tree_threads.hpp"
#include "dpn/trees/tree_validity.hpp"
#include "tests/oracle/dpn/tree_generator.hpp"

using namespace lockwood;
using namespace lockwood::dpn;
using namespace lockwood::dpn::testing;

namespace {

// The definition: the tree is the tree of an execution. If of any, then also of the one that goes through each phase in
// the order of nodes.
bool is_tree_of_an_execution(const Network& network, const ExecutionTree& tree) {
  const TreeThreads threads = threads_of(tree);
  IdVector<ThreadId, std::optional<ThreadId>> number(threads.starts.size());
  number[main_thread] = main_thread;
  Configuration configuration = initial_configuration(network);
  Schedule execution;
  for (std::uint32_t phase = 0; phase < threads.phases; ++phase) {
    if (phase > 0) execution.cuts.push_back(execution.moves.size());
    for (NodeId node : tree.nodes()) {
      if (threads.phase[node] != phase || has_head(tree.kind(node))) continue;
      const auto thread = number[threads.thread[node]];
      if (!thread) return false;
      const Move move{*thread, tree.rule(node)};
      if (blocked(network, configuration, move, Semantics::LockInsensitive)) return false;
      if (tree.kind(node) == NodeKind::Spawn)
        number[threads.thread[tree.first_child(node)]] = ThreadId{configuration.threads.size()};
      apply(network, configuration, move);
      execution.moves.push_back(move);
    }
  }
  return tree_of_execution(network, execution.moves, execution.cuts) == tree;
}

// A copy with some label changed to another of the same rank, or a cut too many, or one too few.
class Mutation {
 public:
  Mutation(const Network& network, std::uint64_t seed) : network_{network}, random_{seed} {}

  ExecutionTree of(const ExecutionTree& tree) {
    const NodeId victim{below(tree.size())};
    TreeBuilder builder;
    for (NodeId node : tree.nodes()) {
      if (node != victim) {
        builder.copy(tree, node);
        continue;
      }
      const std::size_t choice = below(4);
      if (choice == 0) builder.cut(below(2) == 0 ? random_head() : head_at(tree, node));
      if (choice == 1 && tree.kind(node) == NodeKind::Cut) continue;
      if (choice < 2) {
        builder.copy(tree, node);
      } else {
        relabel(builder, tree, node);
      }
    }
    return std::move(builder).build();
  }

 private:
  std::size_t below(std::size_t bound) { return random_() % bound; }
  Head random_head() { return network_.rule(random_rule()).from; }
  RuleId random_rule() { return RuleId{below(network_.rules().size())}; }
  Head head_at(const ExecutionTree& tree, NodeId node) {
    return has_head(tree.kind(node)) ? tree.head(node) : network_.rule(tree.rule(node)).from;
  }

  void relabel(TreeBuilder& builder, const ExecutionTree& tree, NodeId node) {
    const RuleId rule = has_head(tree.kind(node)) || below(2) == 0 ? random_rule() : tree.rule(node);
    const Reentrance reentrance = below(2) == 0 ? Reentrance::No : Reentrance::Yes;
    const Head head = below(2) == 0 ? random_head() : head_at(tree, node);
    switch (rank(tree.kind(node)) * 4 + below(4)) {
      case 0:
      case 1: builder.nil(head); return;
      case 2:
      case 3: builder.ret(rule); return;
      case 4: builder.base(rule); return;
      case 5: builder.ncall(rule); return;
      case 6: builder.acq(rule, reentrance); return;
      case 7: builder.cut(head); return;
      case 8: builder.rcall(rule); return;
      case 9: builder.spawn(rule); return;
      default: builder.use(rule, reentrance); return;
    }
  }

  const Network& network_;
  std::mt19937_64 random_;
};

}  // namespace

TEST_CASE("a tree is valid iff it is the tree of an execution, also when it was tampered with") {
  std::size_t refused = 0;
  std::size_t still_valid = 0;
  for (std::uint64_t seed = 0; seed < 10000; ++seed) {
    CAPTURE(seed);
    const Network network =
        random_locking_network(seed, {.controls = 1 + seed % 2, .stacks = 3, .locks = 2, .monitors = 6});
    const Schedule execution = random_execution(
        network, seed, {.moves = seed % 17, .threads = 4, .depth = 5, .cuts = 2}, Semantics::LockInsensitive);
    const ExecutionTree tree = Mutation{network, seed}.of(tree_of_execution(network, execution.moves, execution.cuts));
    CAPTURE(to_text(network, tree));
    const auto problem = tree_problem(network, tree);
    REQUIRE(!problem.has_value() == is_tree_of_an_execution(network, tree));
    if (problem) CHECK(problem->node.index() < tree.size());
    ++(problem ? refused : still_valid);
  }
  CHECK(refused > 3000);
  CHECK(still_valid > 500);
}

TEST_CASE("the reason names what is wrong with a tree") {
  NetworkBuilder builder;
  const ControlState p = builder.control("p");
  const Action a = builder.action("a");
  const Lock x = builder.lock("x");
  const auto at = [&](const char* name) { return Head{p, builder.stack(name)}; };
  builder.initial(at("m1"));
  builder.add({at("m1"), a, Monitor{at("m1"), builder.stack("m2"), x}});  // 0
  builder.add({at("m1"), a, Return{p}});                                  // 1
  builder.add({at("m1"), a, Spawn{at("m2"), at("t1")}});                  // 2
  const Head m1 = at("m1");
  const Head m2 = at("m2");
  const Head t1 = at("t1");
  const Network network = std::move(builder).build();
  const auto problem = [&](auto&&... append) {
    TreeBuilder tree;
    (append(tree), ...);
    const auto found = tree_problem(network, std::move(tree).build());
    return found ? std::to_string(found->node.index()) + ": " + found->reason : "";
  };
  const auto nil = [](Head head) { return [=](TreeBuilder& tree) { tree.nil(head); }; };
  const auto cut = [](Head head) { return [=](TreeBuilder& tree) { tree.cut(head); }; };
  const auto acq = [](Reentrance r) { return [=](TreeBuilder& tree) { tree.acq(RuleId{0}, r); }; };
  const auto use = [](TreeBuilder& tree) { tree.use(RuleId{0}, Reentrance::No); };
  const auto spawn = [](TreeBuilder& tree) { tree.spawn(RuleId{2}); };
  const auto ret = [](TreeBuilder& tree) { tree.ret(RuleId{1}); };

  CHECK(problem(acq(Reentrance::No), nil(m1)).empty());
  CHECK(problem(nil(m2)) == "0: the thread is at m1, which the node does not say");
  CHECK(problem(acq(Reentrance::Yes), nil(m1)) == "0: the node is marked reentrant, but the thread does not hold x");
  CHECK(problem(acq(Reentrance::No), acq(Reentrance::No), nil(m1)) ==
        "1: the thread holds x already, but the node is not marked reentrant");
  CHECK(problem(acq(Reentrance::No), ret) == "1: a return from a body that is said not to return");
  CHECK(problem(use, nil(m1), nil(m2)) == "1: the thread is in a body that is said to return");
  CHECK(problem(use, ret, ret) == "2: the thread is at m2, not where the rule begins: m1 -- a --> return");
  CHECK(problem([](TreeBuilder& tree) { tree.base(RuleId{1}); }, nil(m1)) ==
        "0: a rule of another kind: m1 -- a --> return");
  CHECK(problem([](TreeBuilder& tree) { tree.ret(RuleId{7}); }) == "0: there is no such rule");
  CHECK(problem(spawn, cut(t1), nil(t1), nil(m2)) == "3: the thread is in phase 0, but the last phase is 1");
  CHECK(problem(spawn, nil(t1), cut(m2), nil(m2)) == "1: the thread is in phase 0, but the last phase is 1");
  CHECK(problem(spawn, cut(t1), nil(t1), cut(m2), nil(m2)).empty());
  CHECK(problem(cut(m1), spawn, nil(t1), nil(m2)).empty());
  CHECK(problem(cut(m1), ret).empty());
}
