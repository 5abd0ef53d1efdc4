#include <doctest/doctest.h>

#include <algorithm>

#include "base/ids/random.hpp"
#include "dpn/formats/text_format.hpp"
#include "dpn/formats/tree_text.hpp"
#include "dpn/semantics/explore.hpp"
#include "dpn/semantics/positions.hpp"
#include "dpn/trees/all_schedules.hpp"
#include "dpn/trees/cut.hpp"
#include "dpn/trees/tree_of_execution.hpp"
#include "dpn/trees/tree_threads.hpp"
#include "dpn/trees/tree_validity.hpp"
#include "solver/analyses/solve.hpp"
#include "solver/construction/acquisition_history.hpp"
#include "solver/construction/allowed_after_cut.hpp"
#include "solver/construction/cut_tree.hpp"
#include "solver/construction/cut_wellformed.hpp"
#include "solver/construction/decide.hpp"
#include "solver/construction/final_locks.hpp"
#include "solver/construction/fired_after_cut.hpp"
#include "solver/construction/generated.hpp"
#include "solver/construction/labelled_automaton.hpp"
#include "solver/construction/network_trees.hpp"
#include "solver/construction/release_history.hpp"
#include "solver/construction/threads_at.hpp"
#include "tests/oracle/dpn/random_network.hpp"
#include "tests/oracle/dpn/tree_generator.hpp"
#include "tests/oracle/solver/lazy_membership.hpp"
#include "treeauto/operations/image.hpp"
#include "treeauto/operations/membership.hpp"

// Each automaton of the reference construction is compared with what its definition is meant to say, computed on the
// tree in another way: by following threads and phases, or by trying all interleavings.

using namespace lockwood;
using namespace lockwood::dpn;
using namespace lockwood::solver;
using namespace lockwood::solver::reference;

namespace {

// Three threads that each hold a lock while they use the next one's, in a cycle.
Network cycle_network() {
  return parse_dpn(R"(dpn {
    initial (m0)
    rules {
      (m0) -- spawn --> (m1 :> s0)
      (m1) -- spawn --> (m2 :> t0)
      (m2) -- enter - x --> (a0, m3)  (a0) -- use - y --> (leave, a1)  (a1) -- leave --> ()
      (s0) -- enter - y --> (b0, s1)  (b0) -- use - z --> (leave, b1)  (b1) -- leave --> ()
      (t0) -- enter - z --> (c0, t1)  (c0) -- use - x --> (leave, c1)  (c1) -- leave --> ()
      (leave) -- leave --> ()
      (b0) -- use - x --> (leave, b1)
    }
  })",
                   "ring")
      .network;
}

// Networks with recursion and control states, those full of monitors, and those in which threads end early.
Network varied_network(std::uint64_t seed) {
  switch (seed % 5) {
    case 0: return random_network(seed, {.controls = 2, .stacks = 6, .locks = 2, .actions = 3, .rules = 12});
    case 1: return dpn::testing::random_locking_network(seed, {});
    case 2: return dpn::testing::random_straight_line_network(seed, {.threads = 3, .operations = 5, .locks = 2});
    case 3: return cycle_network();
    default: return dpn::testing::random_straight_line_network(seed, {.threads = 2, .operations = 8, .locks = 2});
  }
}

// A random execution in which threads take turns at every step.
Schedule restless_execution(const Network& network, std::uint64_t seed, std::size_t length, Semantics semantics) {
  Random random{seed};
  Schedule run;
  Configuration configuration = initial_configuration(network);
  while (run.moves.size() < length) {
    const std::vector<Move> moves = enabled_moves(network, configuration, semantics);
    if (moves.empty()) break;
    run.moves.push_back(moves[random.below(moves.size())]);
    apply(network, configuration, run.moves.back());
  }
  run.cuts.push_back(random.below(run.moves.size() + 1));
  return run;
}

// The tree of a random execution with one cut, disregarding locks in most.
ExecutionTree cut_execution(const Network& network, std::uint64_t seed) {
  const Semantics semantics = seed % 7 == 0 ? Semantics::LockSensitive : Semantics::LockInsensitive;
  const Schedule run = seed % 5 > 2 ? restless_execution(network, seed, 16, semantics)
                                    : dpn::testing::random_execution(
                                          network, seed, {.moves = 9, .threads = 3, .depth = 4, .cuts = 1}, semantics);
  return tree_of_execution(network, run.moves, run.cuts);
}

// Puts in cuts and takes out cuts here and there. Only whether the cuts are well-formed changes.
ExecutionTree with_disturbed_cuts(const Network& network, const ExecutionTree& tree, Random& random) {
  TreeBuilder builder;
  for (NodeId node : tree.nodes()) {
    if (tree.kind(node) == NodeKind::Cut && random.below(4) == 0) continue;
    if (random.below(8) == 0)
      builder.cut(has_head(tree.kind(node)) ? tree.head(node) : network.rule(tree.rule(node)).from);
    builder.copy(tree, node);
  }
  return std::move(builder).build();
}

bool mentions(const ExecutionTree& tree, NodeKind kind) {
  return std::ranges::any_of(tree.nodes(), [&](NodeId node) { return tree.kind(node) == kind; });
}

template <class Definition>
bool accepts(const TreeAlphabet& alphabet, const Definition& definition, const ExecutionTree& tree) {
  return accepts_lazily(LabelledAutomaton<Definition>{alphabet, definition}, to_tree(alphabet, tree));
}

RuleSet random_rules(const Network& network, Random& random) {
  RuleSet rules(network.rules().size());
  for (RuleId rule : rules.keys()) rules[rule] = random.below(3) != 0;
  return rules;
}

// T_ht as printed [nordhoff.13.iterable, Def. 11].
struct PrintedFinalLocks {
  struct Value {
    bool cut;
    Locks acquired;
    Locks used;
    friend auto operator<=>(const Value&, const Value&) = default;
  };
  const Network& network;
  [[nodiscard]] std::vector<Value> targets(const NodeLabel& label, std::span<const Value> children) const {
    if (children.empty()) return {{false, {}, {}}};
    Value value = children.back();
    const auto lock = taken_lock(network, label);
    if (label.kind == NodeKind::Cut) value.cut = true;
    if (label.kind == NodeKind::Spawn)
      value = {value.cut, united(value.acquired, children[0].acquired), united(value.used, children[0].used)};
    if (is_returning(label.kind)) {
      const Value& body = children[0];
      if (body.cut) {
        value = {true, body.acquired, united(body.used, value.used)};
      } else if (value.cut) {
        value.acquired = united(body.acquired, value.acquired);  // U of the body is forgotten
      } else {
        value = {false, united(body.acquired, value.acquired), united(body.used, value.used)};
        if (lock) value.used.insert(*lock);
      }
    }
    if (label.kind == NodeKind::Acq && lock) (value.cut ? value.acquired : value.used).insert(*lock);
    return {value};
  }
  [[nodiscard]] bool is_final(const Value& value) const { return disjoint(value.acquired, value.used); }
};

}  // namespace

TEST_CASE("T_M with T_cwf accepts exactly the valid trees with one cut") {
  std::size_t accepted = 0;
  std::size_t rejected = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    const Network network = varied_network(seed);
    const TreeAlphabet alphabet{network};
    Random random{seed};
    const ExecutionTree tree = with_disturbed_cuts(network, cut_execution(network, seed), random);
    CAPTURE(seed);
    CAPTURE(to_text(network, tree));
    REQUIRE(treeauto::accepts(network_trees(alphabet, CutNodes::With), to_tree(alphabet, tree)));
    // Where there is no cut, all threads have ended before it.
    const std::uint32_t phases = threads_of(tree).phases;
    const bool valid = !tree_problem(network, tree) && (phases == 2 || (phases == 1 && !mentions(tree, NodeKind::Nil)));
    REQUIRE(accepts(alphabet, CutWellformed{}, tree) == valid);
    ++(valid ? accepted : rejected);
  }
  MESSAGE(accepted << " accepted, " << rejected << " rejected");
  CHECK(accepted > 200);
  CHECK(rejected > 200);
}

TEST_CASE("T_M accepts the trees of executions and no tree with a wrong node") {
  std::size_t rejected = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const Network network = varied_network(seed);
    const TreeAlphabet alphabet{network};
    Random random{seed};
    const ExecutionTree tree = without_cuts(cut_execution(network, seed));
    const treeauto::Automaton trees = network_trees(alphabet, CutNodes::Without);
    CAPTURE(seed);
    REQUIRE(treeauto::accepts(trees, to_tree(alphabet, tree)));
    // Another symbol of the same rank at one node.
    const treeauto::Tree original = to_tree(alphabet, tree);
    std::vector<treeauto::Symbol> nodes(original.preorder().begin(), original.preorder().end());
    treeauto::Symbol& changed = nodes[random.below(nodes.size())];
    std::vector<treeauto::Symbol> others;
    for (treeauto::Symbol symbol : alphabet.symbols().symbols())
      if (alphabet.symbols().rank(symbol) == alphabet.symbols().rank(changed) &&
          alphabet.label(symbol).kind != NodeKind::Cut)
        others.push_back(symbol);
    changed = others[random.below(others.size())];
    const treeauto::Tree damaged{alphabet.symbols(), nodes};
    const bool valid = !tree_problem(network, to_execution_tree(alphabet, damaged));
    REQUIRE(treeauto::accepts(trees, damaged) == valid);
    if (!valid) ++rejected;
  }
  CHECK(rejected > 500);
}

TEST_CASE("T_ct yields the tree at the cut") {
  for (std::uint64_t seed = 0; seed < 800; ++seed) {
    const Network network = varied_network(seed);
    const TreeAlphabet alphabet{network};
    const ExecutionTree tree = cut_execution(network, seed);
    CAPTURE(seed);
    CAPTURE(to_text(network, tree));
    const std::vector<treeauto::Tree> at_cut = images(cut_tree_transducer(alphabet), to_tree(alphabet, tree));
    REQUIRE(at_cut.size() == 1);
    CHECK(to_execution_tree(alphabet, at_cut[0]) == tree_at_cut(tree, 0, EarlierCuts::Remove));
  }
}

TEST_CASE("the lock automata accept exactly the trees with cut that have a schedule") {
  std::size_t schedulable = 0;
  std::size_t by_acquisition = 0;
  std::size_t by_release = 0;
  std::size_t by_final_locks = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    const Network network = varied_network(seed);
    const TreeAlphabet alphabet{network};
    const ExecutionTree tree = cut_execution(network, seed);
    CAPTURE(seed);
    CAPTURE(to_text(network, tree));
    const bool whole = accepts(alphabet, AcquisitionHistory{network}, tree);
    REQUIRE(whole == schedule_exists(network, without_cuts(tree), Semantics::LockSensitive));
    const ExecutionTree before = tree_at_cut(tree, 0, EarlierCuts::Remove);
    const bool first = accepts(alphabet, AcquisitionHistory{network}, before);
    REQUIRE(first == schedule_exists(network, before, Semantics::LockSensitive));
    if (!whole || !first) {
      ++by_acquisition;
      continue;
    }
    const bool release = accepts(alphabet, ReleaseHistory{network}, tree);
    const bool final_locks = accepts(alphabet, FinalLocks{network}, tree);
    REQUIRE((release && final_locks) == schedule_exists(network, tree, Semantics::LockSensitive));
    if (release && final_locks) ++schedulable;
    if (!release) ++by_release;
    if (!final_locks) ++by_final_locks;
  }
  MESSAGE(schedulable << " schedulable; rejected " << by_acquisition << " by T_ah, " << by_release << " by T_rh, "
                      << by_final_locks << " by T_ht");
  CHECK(schedulable > 500);
  CHECK(by_acquisition > 100);
  CHECK(by_release > 5);
  CHECK(by_final_locks > 20);
}

TEST_CASE("T_ht as printed accepts a tree with cut that has no schedule, the corrected one does not") {
  const ModelFile file = parse_dpn(R"(dpn {
    initial (m0)
    rules {
      (m0) -- call --> (f0, m1)
      (f0) -- spawn --> (f1 :> u0)
      (f1) -- return --> ()
      (m1) -- enter - x --> (b0, m2)
      (u0) -- enter - x --> (v0, u1)
      (v0) -- leave --> ()
    }
  }
  iterate {b0} and {u0}, {u1}
  iterate nolocks {b0} and {u0}, {u1})",
                                   "printed");
  const Network& network = file.network;
  const TreeAlphabet alphabet{network};
  // Main is in the monitor at the cut and for ever; u uses x after the cut.
  const treeauto::Tree tree = treeauto::read_tree(
      "RCALL.m0.call(SPAWN.f0.spawn(CUT.u0(USE.u0.enter.x(RET.v0.leave, NIL.u1)), RET.f1.return),"
      "              ACQ.m1.enter.x(CUT.b0(NIL.b0)))",
      alphabet.symbols());
  const ExecutionTree execution = to_execution_tree(alphabet, tree);
  REQUIRE(!tree_problem(network, execution));
  CHECK(!schedule_exists(network, execution, Semantics::LockSensitive));
  CHECK(accepts(alphabet, AcquisitionHistory{network}, execution));
  CHECK(accepts(alphabet, ReleaseHistory{network}, execution));
  CHECK(accepts(alphabet, PrintedFinalLocks{network}, execution));  // so the printed construction says reachable
  CHECK(!accepts(alphabet, FinalLocks{network}, execution));
  CHECK(decide(network, file.queries[0]) == Verdict::Unreachable);
  CHECK(explore_query(network, file.queries[0]).verdict == Verdict::Unreachable);
  CHECK(solve(network, problem_of(file.queries[0])).verdict == Verdict::Unreachable);
  CHECK(decide(network, file.queries[1]) == Verdict::Reachable);
}

TEST_CASE("where no thread ends, T_ht as printed accepts all that the corrected one accepts, and more") {
  std::size_t wrong = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    const Network network = dpn::testing::random_locking_network(seed, {.controls = 1, .stacks = 6, .locks = 1});
    const TreeAlphabet alphabet{network};
    const ExecutionTree tree = cut_execution(network, seed);
    const TreeThreads threads = threads_of(tree);
    if (std::ranges::any_of(threads.starts.keys(),
                            [&](ThreadId thread) { return tree.kind(threads.path(thread).back()) == NodeKind::Ret; }))
      continue;
    const bool printed = accepts(alphabet, PrintedFinalLocks{network}, tree);
    const bool corrected = accepts(alphabet, FinalLocks{network}, tree);
    CAPTURE(seed);
    CAPTURE(to_text(network, tree));
    if (corrected) CHECK(printed);
    if (corrected != printed) ++wrong;
  }
  MESSAGE(wrong << " trees wrongly accepted by the printed automaton");
  CHECK(wrong > 0);
}

TEST_CASE("only rules of a set are used after the cut, or one of a set is, as the phases of the nodes say") {
  std::size_t accepted = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Network network = varied_network(seed);
    const TreeAlphabet alphabet{network};
    Random random{seed};
    const RuleSet rules = random_rules(network, random);
    RuleSet others(rules.size());
    for (RuleId rule : rules.keys()) others[rule] = !rules[rule];
    const ExecutionTree tree = cut_execution(network, seed);
    const TreeThreads threads = threads_of(tree);
    const bool only = std::ranges::all_of(tree.nodes(), [&](NodeId node) {
      return has_head(tree.kind(node)) || threads.phase[node] == 0 || rules[tree.rule(node)];
    });
    CAPTURE(seed);
    CAPTURE(to_text(network, tree));
    REQUIRE(accepts(alphabet, AllowedAfterCut{rules}, tree) == only);
    REQUIRE(accepts(alphabet, FiredAfterCut{others}, tree) == !only);
    if (only) ++accepted;
  }
  CHECK(accepted > 300);
  CHECK(accepted < 1700);
}

TEST_CASE("threads are in the sets iff the reached configuration says so") {
  std::size_t accepted = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const Network network = varied_network(seed);
    const TreeAlphabet alphabet{network};
    const ExecutionTree tree = cut_execution(network, seed);
    const QueryStep step = random_query(network, seed).steps.front();
    const bool stands = threads_at(network, reached_configuration(network, tree), step).has_value();
    CAPTURE(seed);
    CAPTURE(to_text(network, tree));
    REQUIRE(accepts(alphabet, Standing{network, step.positions}, tree) == stands);
    if (stands) ++accepted;
    IdVector<StackSymbol, bool> tops(network.stack_symbols().size(), false);
    for (StackSymbol top : step.positions.front()) tops[top] = true;
    REQUIRE(accepts(alphabet, Generated{tops}, tree) ==
            accepts(alphabet, Standing{network, {step.positions[0]}}, tree));
  }
  CHECK(accepted > 50);
}
