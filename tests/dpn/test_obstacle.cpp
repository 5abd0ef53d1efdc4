#include <doctest/doctest.h>

#include <array>
#include <map>
#include <set>

#include "base/ids/random.hpp"
#include "dpn/formats/tree_text.hpp"
#include "dpn/trees/obstacle.hpp"
#include "dpn/trees/schedule.hpp"
#include "dpn/trees/tree_of_execution.hpp"
#include "dpn/trees/tree_threads.hpp"
#include "tests/dpn/crossed_monitors.hpp"
#include "tests/oracle/dpn/tree_generator.hpp"

using namespace lockwood;
using namespace lockwood::dpn;
using namespace lockwood::dpn::testing;

namespace {

// The graphs of a phase as the theory defines them, edge by edge, from nothing but the threads of the tree.
class Definition {
 public:
  Definition(const Network& network, const ExecutionTree& tree)
      : network_{network}, tree_{tree}, threads_{threads_of(tree)} {
    for (NodeId node : tree.nodes())
      if (const NodeId entry = threads_.entry[node]; entry != node) returns_.emplace(entry, node);
  }

  [[nodiscard]] Lock lock(NodeId node) const { return std::get<Monitor>(network_.rule(tree_.rule(node)).effect).lock; }
  [[nodiscard]] bool takes(NodeId node, std::uint32_t phase) const {
    return tree_.takes_lock(node) && threads_.phase[node] == phase;
  }
  // The phase in which the lock that the node takes is given back; nothing if it never is.
  [[nodiscard]] std::optional<std::uint32_t> released(NodeId node) const {
    const auto at = returns_.find(node);
    return at == returns_.end() ? std::nullopt : std::optional{threads_.phase[at->second]};
  }
  [[nodiscard]] bool keeps(NodeId node, std::uint32_t phase) const {
    return takes(node, phase) && (!released(node) || *released(node) > phase);
  }
  [[nodiscard]] bool holds_throughout(NodeId node, std::uint32_t phase) const {
    return tree_.takes_lock(node) && threads_.phase[node] < phase && (!released(node) || *released(node) > phase);
  }
  [[nodiscard]] bool inside(NodeId node, NodeId region) const {
    std::set<NodeId> below{tree_.first_child(region)};
    for (NodeId at : tree_.nodes()) {
      if (!below.contains(at)) continue;
      if (rank(tree_.kind(at)) > 0) below.insert(tree_.first_child(at));
      if (rank(tree_.kind(at)) == 2) below.insert(tree_.second_child(at));
    }
    return below.contains(node);
  }
  [[nodiscard]] bool acquisition_edge(NodeId holder, NodeId taker, std::uint32_t phase) const {
    return keeps(holder, phase) && takes(taker, phase) && inside(taker, holder);
  }
  [[nodiscard]] bool release_edge(NodeId holder, NodeId taker, std::uint32_t phase) const {
    return tree_.takes_lock(holder) && threads_.phase[holder] < phase && released(holder) == phase &&
           takes(taker, phase) && threads_.thread[holder] == threads_.thread[taker] && taker < returns_.at(holder);
  }

  // The number of edges of a shortest cycle in the phase; 0 if there is none.
  [[nodiscard]] std::size_t girth(std::uint32_t phase,
                                  bool (Definition::*edge)(NodeId, NodeId, std::uint32_t) const) const {
    const std::size_t size = network_.locks().size();
    const std::size_t infinite = size + 1;
    std::vector<std::vector<std::size_t>> distance(size, std::vector<std::size_t>(size, infinite));
    for (NodeId holder : tree_.nodes())
      for (NodeId taker : tree_.nodes())
        if (tree_.takes_lock(holder) && tree_.takes_lock(taker) && (this->*edge)(holder, taker, phase))
          distance[lock(holder).index()][lock(taker).index()] = 1;
    for (std::size_t via = 0; via < size; ++via)
      for (std::size_t from = 0; from < size; ++from)
        for (std::size_t to = 0; to < size; ++to)
          distance[from][to] = std::min(distance[from][to], distance[from][via] + distance[via][to]);
    std::size_t shortest = infinite;
    for (std::size_t i = 0; i < size; ++i) shortest = std::min(shortest, distance[i][i]);
    return shortest == infinite ? 0 : shortest;
  }

 private:
  const Network& network_;
  const ExecutionTree& tree_;
  TreeThreads threads_;
  std::map<NodeId, NodeId> returns_;  // by entry
};

// Whether the obstacle is one, by the definitions.
struct Checker {
  const Definition& definition;

  void operator()(const KeptTwice& twice) const {
    CHECK(twice.first != twice.second);
    for (NodeId node : {twice.first, twice.second}) {
      CHECK(definition.keeps(node, twice.phase));
      CHECK(definition.lock(node) == twice.lock);
    }
  }
  void operator()(const HeldThroughout& held) const {
    CHECK(definition.holds_throughout(held.holder, held.phase));
    CHECK(definition.takes(held.taker, held.phase));
    for (NodeId node : {held.holder, held.taker}) CHECK(definition.lock(node) == held.lock);
  }
  void operator()(const AcquisitionCycle& cycle) const {
    check(cycle.edges);
    for (const LockEdge& edge : cycle.edges) CHECK(definition.acquisition_edge(edge.holder, edge.taker, cycle.phase));
    CHECK(cycle.edges.size() == definition.girth(cycle.phase, &Definition::acquisition_edge));
  }
  void operator()(const ReleaseCycle& cycle) const {
    check(cycle.edges);
    for (const LockEdge& edge : cycle.edges) CHECK(definition.release_edge(edge.holder, edge.taker, cycle.phase));
    CHECK(cycle.edges.size() == definition.girth(cycle.phase, &Definition::release_edge));
  }
  void operator()(const HeldAcrossJoin&) const { FAIL("nobody joins anybody here"); }
  void check(const std::vector<LockEdge>& edges) const {
    REQUIRE_FALSE(edges.empty());
    for (std::size_t i = 0; i < edges.size(); ++i) {
      CHECK(definition.lock(edges[i].holder) == edges[i].lock);
      CHECK(definition.lock(edges[i].taker) == edges[(i + 1) % edges.size()].lock);
    }
  }
};

struct Tally {
  std::size_t none = 0;
  std::array<std::size_t, std::variant_size_v<Obstacle>> kinds{};
};

void compare(const Network& network, const Schedule& execution, Tally& tally) {
  const ExecutionTree tree = tree_of_execution(network, execution.moves, execution.cuts);
  CAPTURE(to_text(network, tree));
  const auto found = obstacle(network, tree);
  REQUIRE(found.has_value() != schedule_of(network, tree, Semantics::LockSensitive).has_value());
  if (!found) {
    ++tally.none;
    return;
  }
  CAPTURE(to_text(network, tree, *found));
  ++tally.kinds[found->index()];
  const Definition definition{network, tree};
  std::visit(Checker{definition}, *found);
}

Tally compare_on_random_networks(std::uint64_t first_seed, std::uint64_t end_seed) {
  Tally tally;
  each_locking_execution(
      first_seed, end_seed, TreeSize::ForSearch,
      [&](const Network& network, const Schedule& execution) { compare(network, execution, tally); });
  return tally;
}

Tally compare_on_straight_lines(std::uint64_t first_seed, std::uint64_t end_seed) {
  Tally tally;
  each_straight_line_execution(
      first_seed, end_seed, TreeSize::ForSearch,
      [&](const Network& network, const Schedule& execution) { compare(network, execution, tally); });
  return tally;
}

// Threads that respect locks up to a cut, and after it go on to their ends without.
Schedule careless_after_cut(const Network& network, std::uint64_t seed) {
  Random random{seed};
  Schedule execution;
  Configuration configuration = initial_configuration(network);
  const auto run = [&](std::size_t moves, Semantics semantics) {
    for (; moves > 0; --moves) {
      std::vector<Move> enabled = enabled_moves(network, configuration, semantics);
      std::erase_if(enabled, [&](Move move) {
        return network.rule(move.rule).kind() == RuleKind::Spawn && configuration.threads.size() > 3;
      });
      if (enabled.empty()) return;
      execution.moves.push_back(enabled[random.below(enabled.size())]);
      apply(network, configuration, execution.moves.back());
    }
  };
  run(4 + random.below(12), Semantics::LockSensitive);
  execution.cuts.push_back(execution.moves.size());
  run(60, Semantics::LockInsensitive);
  return execution;
}

Tally compare_on_careless_threads(std::uint64_t first_seed, std::uint64_t end_seed) {
  Tally tally;
  for (std::uint64_t seed = first_seed; seed < end_seed; ++seed) {
    CAPTURE(seed);
    const Network network = random_straight_line_network(
        seed, {.threads = 2 + seed % 3, .operations = 5 + seed % 4, .locks = 2 + seed % 5});
    compare(network, careless_after_cut(network, seed), tally);
  }
  return tally;
}

}  // namespace

TEST_CASE("a tree has an obstacle iff it has no schedule, and the obstacle is one by the definitions") {
  for (const Tally& tally : {compare_on_random_networks(0, 4000), compare_on_straight_lines(0, 4000)}) {
    CHECK(tally.none > 500);
    CHECK(tally.kinds[0] > 500);
    CHECK(tally.kinds[1] > 200);
    CHECK(tally.kinds[2] > 20);
  }
  const Tally tally = compare_on_careless_threads(0, 4000);
  CHECK(tally.none > 500);
  CHECK(tally.kinds[1] > 50);
  CHECK(tally.kinds[3] > 50);
}

TEST_CASE("a tree has an obstacle iff it has no schedule, on many more trees [full]") {
  CHECK(compare_on_random_networks(4000, 40000).kinds[2] > 100);
  CHECK(compare_on_straight_lines(4000, 40000).kinds[2] > 100);
  CHECK(compare_on_careless_threads(4000, 40000).kinds[3] > 500);
}

namespace {

struct Threads : CrossedMonitors {
  // What is said of the execution, each move a thread and a rule.
  [[nodiscard]] std::string said(const std::vector<std::pair<std::size_t, std::size_t>>& moves,
                                 const std::vector<std::size_t>& cuts = {}) const {
    std::vector<Move> execution;
    for (const auto& [thread, rule] : moves) execution.push_back({ThreadId{thread}, RuleId{rule}});
    const ExecutionTree tree = tree_of_execution(network, execution, cuts);
    const auto found = obstacle(network, tree);
    return found ? to_text(network, tree, *found) : "nothing";
  }
};

}  // namespace

TEST_CASE("obstacles are told in sentences with threads and program points") {
  const Threads model;
  CHECK(model.said({{0, 0}, {0, 1}, {1, 5}}) == "nothing");
  CHECK(model.said({{0, 0}, {0, 1}, {1, 10}}) ==
        "main takes a (at m2) and main.1 takes it too (at t1), and both keep it to the end");
  CHECK(model.said({{0, 0}, {0, 1}, {1, 10}}, {3}) ==
        "main takes a (at m2) and main.1 takes it too (at t1), and both keep it to the end of phase 1");
  CHECK(model.said({{0, 0}, {0, 1}, {1, 10}, {1, 8}}, {2}) ==
        "main holds a (taken at m2) throughout phase 2, in which main.1 needs it (at t1)");
  CHECK(model.said({{0, 0}, {0, 1}, {0, 2}, {0, 3}, {1, 5}, {1, 7}, {1, 8}}) ==
        "main holds a (taken at m2) and needs b (at m3); main.1 holds b (taken at t1) and needs a (at t2)");
  CHECK(model.said({{0, 0}, {0, 1}, {0, 11}, {2, 10}, {2, 8}}) ==
        "main holds a (taken at m2) and main.2, started after that, needs a (at t1)");
  CHECK(model.said({{0, 0}, {0, 1}, {1, 5}, {0, 2}, {0, 3}, {0, 4}, {1, 7}, {1, 8}, {1, 9}}, {3}) ==
        "in phase 2, main holds a (taken at m2) and needs b (at m3) before it gives a back; "
        "main.1 holds b (taken at t1) and needs a (at t2) before it gives b back");
}
