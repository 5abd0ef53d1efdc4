#include <doctest/doctest.h>

#include "dpn/formats/tree_text.hpp"
#include "dpn/trees/cut.hpp"
#include "dpn/trees/tree_of_execution.hpp"
#include "dpn/trees/tree_threads.hpp"
#include "dpn/trees/tree_validity.hpp"
#include "tests/oracle/dpn/example_network.hpp"
#include "tests/oracle/dpn/tree_generator.hpp"

using namespace lockwood;
using namespace lockwood::dpn;
using namespace lockwood::dpn::testing;

namespace {

// main spawns t and, holding x, calls f, which enters x again.
struct Example : ExampleParts {
  Network network = [this] {
    builder.initial(at("m1"));
    builder.add({at("m1"), a, Spawn{at("m2"), at("t1")}});                  // 0
    builder.add({at("m2"), a, Monitor{at("b1"), builder.stack("m3"), x}});  // 1
    builder.add({at("b1"), a, Call{at("f1"), builder.stack("b2")}});        // 2
    builder.add({at("f1"), a, Monitor{at("g1"), builder.stack("f2"), x}});  // 3
    builder.add({at("g1"), a, Return{p}});                                  // 4
    builder.add({at("f2"), a, Return{p}});                                  // 5
    builder.add({at("b2"), a, Return{p}});                                  // 6
    builder.add({at("t1"), a, Base{at("t2")}});                             // 7
    builder.add({at("t2"), a, Return{p}});                                  // 8
    return std::move(builder).build();
  }();
  std::vector<Move> moves = [] {
    std::vector<Move> sequence;
    for (std::size_t rule : {0U, 1U, 2U, 7U, 3U, 4U, 5U, 8U, 6U})
      sequence.push_back({ThreadId{rule >= 7 ? 1U : 0U}, RuleId{rule}});
    return sequence;
  }();
};

// The execution up to the end of the phase, with the cuts before that or without any.
ExecutionTree tree_of_prefix(const Network& network, const Schedule& execution, std::size_t phase,
                             EarlierCuts earlier) {
  const std::size_t end = phase < execution.cuts.size() ? execution.cuts[phase] : execution.moves.size();
  const std::span<const std::size_t> cuts = execution.cuts;
  return tree_of_execution(network, std::span{execution.moves}.first(end),
                           earlier == EarlierCuts::Keep ? cuts.first(phase) : cuts.first(0));
}

}  // namespace

TEST_CASE("the tree of an execution matches calls with their returns and marks reentrance") {
  const Example example;
  CHECK(to_text(example.network, tree_of_execution(example.network, example.moves)) ==
        "Spawn m1 -- a --> m2 [spawns t1]\n"
        "  Base t1 -- a --> t2\n"
        "  Ret t2 -- a --> return\n"
        "Use m2 -- a --> b1 [acquires x, returns to m3]\n"
        "  RCall b1 -- a --> f1 [returns to b2]\n"
        "    Use reentrant f1 -- a --> g1 [acquires x, returns to f2]\n"
        "      Ret g1 -- a --> return\n"
        "    Ret f2 -- a --> return\n"
        "  Ret b2 -- a --> return\n"
        "Nil m3\n");
}

TEST_CASE("cuts mark where each living thread is at the end of a phase") {
  const Example example;
  const std::vector<std::size_t> cuts{0, 5, 8};
  const ExecutionTree tree = tree_of_execution(example.network, example.moves, cuts);
  CHECK(to_text(example.network, tree) ==
        "Cut m1\n"
        "Spawn m1 -- a --> m2 [spawns t1]\n"
        "  Base t1 -- a --> t2\n"
        "  Cut t2\n"
        "  Ret t2 -- a --> return\n"
        "Use m2 -- a --> b1 [acquires x, returns to m3]\n"
        "  RCall b1 -- a --> f1 [returns to b2]\n"
        "    Use reentrant f1 -- a --> g1 [acquires x, returns to f2]\n"
        "      Cut g1\n"
        "      Ret g1 -- a --> return\n"
        "    Ret f2 -- a --> return\n"
        "  Cut b2\n"
        "  Ret b2 -- a --> return\n"
        "Nil m3\n");
  CHECK(to_text(example.network, tree_at_cut(tree, 1, EarlierCuts::Keep)) ==
        "Cut m1\n"
        "Spawn m1 -- a --> m2 [spawns t1]\n"
        "  Base t1 -- a --> t2\n"
        "  Nil t2\n"
        "Acq m2 -- a --> b1 [acquires x, returns to m3]\n"
        "NCall b1 -- a --> f1 [returns to b2]\n"
        "Acq reentrant f1 -- a --> g1 [acquires x, returns to f2]\n"
        "Nil g1\n");
  CHECK(to_text(example.network, tree_at_cut(tree, 0, EarlierCuts::Keep)) == "Nil m1\n");
  CHECK(without_cuts(tree) == tree_of_execution(example.network, example.moves));
}

TEST_CASE("tree and execution agree on the configuration, on validity and at every cut") {
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    CAPTURE(seed);
    const Network network =
        seed % 3 == 0
            ? random_straight_line_network(seed, {.threads = 3, .operations = 7, .locks = 3})
            : random_locking_network(seed, {.controls = 1 + seed % 2, .stacks = 5, .locks = 2, .monitors = 6});
    const ExecutionShape size{.moves = seed % 31, .threads = 5, .depth = 7, .cuts = 3};
    const Semantics semantics = seed % 2 == 0 ? Semantics::LockSensitive : Semantics::LockInsensitive;
    const Schedule execution = random_execution(network, seed, size, semantics);
    const ExecutionTree tree = tree_of_execution(network, execution.moves, execution.cuts);
    CAPTURE(to_text(network, tree));
    CHECK_FALSE(tree_problem(network, tree).has_value());

    Configuration configuration = initial_configuration(network);
    for (const Move& move : execution.moves) apply(network, configuration, move);
    CHECK(reached_configuration(network, tree) == by_spawn_path(configuration));

    const std::uint32_t phases = threads_of(tree).phases;
    CHECK(phases <= execution.cuts.size() + 1);
    for (std::uint32_t phase = 0; phase <= execution.cuts.size(); ++phase)
      for (EarlierCuts earlier : {EarlierCuts::Keep, EarlierCuts::Remove}) {
        const ExecutionTree at_cut = tree_at_cut(tree, phase, earlier);
        CHECK(at_cut == tree_of_prefix(network, execution, phase, earlier));
        CHECK_FALSE(tree_problem(network, at_cut).has_value());
      }
    CHECK(without_cuts(tree) == tree_of_execution(network, execution.moves));
  }
}

TEST_CASE("threads of a tree are numbered and named by their paths of spawns") {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    CAPTURE(seed);
    const Network network = random_locking_network(seed, {});
    const Schedule execution =
        random_execution(network, seed, {.moves = 25, .threads = 6, .cuts = 1}, Semantics::LockInsensitive);
    const ExecutionTree tree = tree_of_execution(network, execution.moves, execution.cuts);
    const TreeThreads threads = threads_of(tree);
    const Configuration configuration = reached_configuration(network, tree);
    REQUIRE(threads.starts.size() == configuration.threads.size());
    std::size_t nodes = 0;
    for (ThreadId thread : threads.starts.keys()) {
      CHECK(threads.starts[thread].parent == configuration.threads[thread].parent);
      CHECK(threads.path(thread).front() == threads.starts[thread].node);
      CHECK(threads.phase[threads.path(thread).front()] == threads.starts[thread].phase);
      nodes += threads.path(thread).size();
    }
    CHECK(nodes == tree.size());
    for (NodeId node : tree.nodes()) {
      if (rank(tree.kind(node)) < 2) continue;
      CHECK((threads.thread[tree.first_child(node)] == threads.thread[node]) == (tree.kind(node) != NodeKind::Spawn));
      CHECK(threads.thread[tree.second_child(node)] == threads.thread[node]);
    }
  }
}

TEST_CASE("a tree under construction knows how many subtrees are missing") {
  TreeBuilder builder;
  CHECK(builder.missing() == 1);
  builder.rcall(RuleId{0});
  CHECK(builder.missing() == 2);
  builder.base(RuleId{1});
  builder.spawn(RuleId{2});
  CHECK(builder.missing() == 3);
  builder.nil({ControlState{0}, StackSymbol{0}});
  builder.ret(RuleId{3});
  CHECK(builder.missing() == 1);
  const NodeId last = builder.nil({ControlState{0}, StackSymbol{1}});
  CHECK(builder.complete());
  const ExecutionTree tree = std::move(builder).build();
  CHECK(tree.size() == 6);
  CHECK(tree.first_child(ExecutionTree::root) == NodeId{1});
  CHECK(tree.second_child(ExecutionTree::root) == last);
  CHECK(tree.second_child(NodeId{2}) == NodeId{4});
}

TEST_CASE("a tree is drawn with its labels escaped and new threads dashed") {
  NetworkBuilder builder;
  const Head head{builder.control("p"), builder.stack("g")};
  builder.initial(head);
  builder.label(head.top, "print \"a\\b\"");
  builder.add({head, builder.action("a"), Spawn{head, head}});
  const Network network = std::move(builder).build();
  TreeBuilder tree;
  tree.spawn(RuleId{0});
  tree.nil(head);
  tree.nil(head);
  const std::string dot = to_dot(network, std::move(tree).build());
  CHECK(dot.find("n1 [label=\"Nil print \\\"a\\\\b\\\"\"];") != std::string::npos);
  CHECK(dot.find("n0 -> n1 [style=dashed];") != std::string::npos);
  CHECK(dot.find("n0 -> n2;") != std::string::npos);
}
