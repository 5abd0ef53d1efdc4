#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "dpn/formats/text_format.hpp"
#include "dpn/generators/lock_program.hpp"
#include "dpn/semantics/positions.hpp"
#include "dpn/semantics/small_step.hpp"
#include "solver/analyses/solve.hpp"
#include "solver/query/query_problem.hpp"
#include "tests/oracle/dpn/random_network.hpp"

using namespace lockwood;
using namespace lockwood::dpn;
using namespace lockwood::solver;

namespace {

// How far an execution is.
struct Progress {
  std::size_t step = 0;
  bool fired = false;  // a required action of the step was done
  Configuration reached;

  [[nodiscard]] std::vector<std::size_t> key() const {
    std::vector<std::size_t> key{step, fired ? std::size_t{1} : 0};
    for (const Thread& thread : reached.threads) {
      key.insert(key.end(), {thread.control.index(), thread.stack.size()});
      for (const Frame& frame : thread.stack)
        key.insert(key.end(), {frame.symbol.index(), frame.lock ? frame.lock->index() + 1 : 0});
    }
    return key;
  }
};

// The least number of nodes of the tree of an execution that answers the query, cuts not counted, by Dijkstra's
// algorithm on executions: each move is a node, and so is each thread that has not ended. Nothing if it is more than
// the bound, or would take too long to find.
std::optional<std::size_t> fewest_nodes(const Network& network, const Query& query, std::size_t bound) {
  constexpr std::size_t max_visited = 20'000;
  std::map<std::size_t, std::vector<Progress>> pending;  // by nodes
  std::set<std::vector<std::size_t>> visited;
  pending[1].push_back({0, false, initial_configuration(network)});
  while (!pending.empty() && pending.begin()->first <= bound && visited.size() < max_visited) {
    const std::size_t nodes = pending.begin()->first;
    const Progress progress = std::move(pending.begin()->second.back());
    pending.begin()->second.pop_back();
    if (pending.begin()->second.empty()) pending.erase(pending.begin());
    if (!visited.insert(progress.key()).second) continue;
    const QueryStep& step = query.steps[progress.step];
    if ((progress.fired || step.requiring.empty()) && threads_at(network, progress.reached, step)) {
      if (progress.step + 1 == query.steps.size()) return nodes;
      pending[nodes].push_back({progress.step + 1, false, progress.reached});
    }
    for (Move move : enabled_moves(network, progress.reached, query.semantics)) {
      const Rule& rule = network.rule(move.rule);
      if (std::ranges::count(step.avoiding, rule.action) > 0) continue;
      Progress next = progress;
      apply(network, next.reached, move);
      next.fired = next.fired || std::ranges::count(step.requiring, rule.action) > 0;
      const std::size_t spawned = rule.kind() == RuleKind::Spawn ? 1 : 0;
      const std::size_t ended = next.reached.threads[move.thread].ended() ? 1 : 0;
      pending[nodes + 1 + spawned - ended].push_back(std::move(next));
    }
  }
  return std::nullopt;
}

std::size_t nodes_without_cuts(const ExecutionTree& tree) {
  std::size_t nodes = 0;
  for (NodeId node : tree.nodes())
    if (tree.kind(node) != NodeKind::Cut) ++nodes;
  return nodes;
}

}  // namespace

TEST_CASE("no execution that answers a query has fewer nodes than the smallest witness") {
  std::size_t compared = 0;
  std::size_t large = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const bool random = seed % 2 == 0;
    const Network network = random ? random_network(seed) : lock_program(seed);
    const Query query = random ? random_query(network, seed) : lock_query(network, seed);
    const Answer answer = solve(network, problem_of(query));
    if (!answer.witness) continue;
    const std::size_t nodes = nodes_without_cuts(answer.witness->tree);
    const auto fewest = fewest_nodes(network, query, nodes);
    if (!fewest) continue;
    CAPTURE(seed);
    CAPTURE(to_dpn(network, {&query, 1}));
    REQUIRE(answer.witness->best);
    CHECK(nodes == *fewest);
    ++compared;
    if (nodes > 10) ++large;
  }
  MESSAGE(compared << " compared, " << large << " of them with more than ten nodes");
  CHECK(compared > 200);
  CHECK(large > 20);
}

TEST_CASE("a witness above the limit is not written out, but its size is told and the verdict stays") {
  // n procedures of which each calls the next one twice: the smallest way to the end of the first has 3 · 2ⁿ nodes or
  // so.
  std::string rules;
  for (int i = 0; i < 30; ++i) {
    const std::string p = "p" + std::to_string(i);
    const std::string callee = i + 1 < 30 ? "p" + std::to_string(i + 1) : "leaf";
    rules += "(" + p + ")--c-->(" + callee + "," + p + "b) (" + p + "b)--c-->(" + callee + "," + p + "c) (" + p +
             "c)--r-->() ";
  }
  const ModelFile model =
      parse_dpn("dpn { initial (m) rules { (m)--c-->(p0,n) (leaf)--r-->() " + rules + "} } reach {n}", "doubling");
  const Problem problem = problem_of(model.queries.front());
  for (const auto& reductions : {Reductions{}, Reductions::none()}) {
    const Answer answer = solve(model.network, problem, {.witness_limit = 1000, .reductions = reductions});
    CHECK(answer.verdict == Verdict::Reachable);
    CHECK_FALSE(answer.witness.has_value());
    REQUIRE(answer.large_witness.has_value());
    CHECK(answer.large_witness->nodes == (std::uint64_t{1} << 32U) - 1);
    CHECK(answer.large_witness->smallest);
  }
  for (const auto choice : {WitnessChoice::FewestThreads, WitnessChoice::FewestSwitches}) {
    const Answer answer = solve(model.network, problem, {.witness = choice, .witness_limit = 1000});
    CHECK(answer.verdict == Verdict::Reachable);
    CHECK(answer.large_witness.has_value());
  }
  const Answer diagrams = solve(model.network, problem, {.witness_limit = 1000, .domain = DomainChoice::Zdd});
  CHECK(diagrams.verdict == Verdict::Reachable);
  CHECK(diagrams.large_witness.has_value());
}

TEST_CASE("what takes long to write out can be stopped") {
  const Network network = lock_program(1);
  StopSource source;
  source.request(StopReason::Timeout);
  const StopToken stop{source};
  TreeBuilder builder;
  builder.nil(network.initial());
  const ExecutionTree tree = std::move(builder).build();
  CHECK_THROWS_AS((void)schedule_of(network, tree, Semantics::LockSensitive, stop), Interrupted);
}
