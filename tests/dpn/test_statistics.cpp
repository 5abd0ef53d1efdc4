#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>
#include <tuple>

#include "dpn/formats/dot.hpp"
#include "dpn/formats/text_format.hpp"
#include "dpn/model/control_flow.hpp"
#include "dpn/model/network_builder.hpp"
#include "dpn/model/statistics.hpp"
#include "dpn/semantics/explore.hpp"
#include "tests/oracle/dpn/random_network.hpp"

using namespace lockwood;
using namespace lockwood::dpn;

namespace {

using Relation = std::vector<std::vector<bool>>;

// Paths of the given flows between stack symbols, the empty ones included.
Relation paths(const Network& network, std::initializer_list<Flow> flows) {
  const std::size_t size = network.stack_symbols().size();
  Relation path(size, std::vector<bool>(size, false));
  for (std::size_t v = 0; v < size; ++v) path[v][v] = true;
  for (const FlowEdge& edge : flow_edges(network))
    if (std::ranges::count(flows, edge.flow) > 0) path[edge.from.index()][edge.to.index()] = true;
  for (std::size_t via = 0; via < size; ++via)
    for (std::size_t from = 0; from < size; ++from)
      for (std::size_t to = 0; to < size; ++to)
        if (path[from][via] && path[via][to]) path[from][to] = true;
  return path;
}

bool recursive(const Network& network, const Relation& path, StackSymbol entry) {
  return std::ranges::any_of(flow_edges(network), [&](const FlowEdge& edge) {
    return edge.flow == Flow::Entering && path[entry.index()][edge.from.index()] &&
           path[edge.to.index()][entry.index()];
  });
}

// The most uses of a rule in an execution tree of this depth from the initial symbol, control states ignored.
std::uint64_t max_uses(const Network& network, RuleId counted, std::size_t depth) {
  IdVector<StackSymbol, std::uint64_t> uses(network.stack_symbols().size(), 0);
  const std::vector<FlowEdge> edges = flow_edges(network);
  for (std::size_t level = 0; level < depth; ++level) {
    IdVector<StackSymbol, std::uint64_t> deeper = uses;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      std::uint64_t total = uses[edges[i].to] + (edges[i].rule == counted ? 1 : 0);
      if (i + 1 < edges.size() && edges[i + 1].rule == edges[i].rule) total += uses[edges[++i].to];
      deeper[edges[i].from] = std::min<std::uint64_t>(std::max(deeper[edges[i].from], total), 1'000'000);
    }
    uses = deeper;
  }
  return uses[network.initial().top];
}

// The most monitors entered on a walk of this many edges that starts where some thread can be.
std::size_t deepest_nesting(const Network& network, const Relation& all, std::size_t length) {
  std::vector<std::size_t> nesting(network.stack_symbols().size(), 0);
  const std::vector<FlowEdge> edges = flow_edges(network);
  for (std::size_t step = 0; step < length; ++step) {
    std::vector<std::size_t> longer = nesting;
    for (const FlowEdge& edge : edges) {
      if (edge.flow == Flow::Spawning) continue;
      const bool counts = edge.flow == Flow::Entering && network.rule(edge.rule).kind() == RuleKind::Monitor;
      longer[edge.from.index()] = std::max(longer[edge.from.index()], nesting[edge.to.index()] + (counts ? 1 : 0));
    }
    nesting = longer;
  }
  std::size_t deepest = 0;
  for (std::size_t symbol = 0; symbol < nesting.size(); ++symbol)
    if (all[network.initial().top.index()][symbol]) deepest = std::max(deepest, nesting[symbol]);
  return deepest;
}

// The same network with an action of its own for each rule.
Network with_own_actions(const Network& network) {
  NetworkBuilder builder;
  for (ControlState control : network.control_states().keys()) builder.control(network.control_states().name(control));
  for (StackSymbol stack : network.stack_symbols().keys()) builder.stack(network.stack_symbols().name(stack));
  for (Lock lock : network.locks().keys()) builder.lock(network.locks().name(lock));
  builder.initial(network.initial());
  for (RuleId id : network.rules().keys()) {
    Rule rule = network.rule(id);
    rule.action = builder.action("r" + std::to_string(id.index()));
    builder.add(rule);
  }
  return std::move(builder).build();
}

Query nolocks(QueryStep step) {
  Query query;
  query.semantics = Semantics::LockInsensitive;
  query.steps = {std::move(step)};
  return query;
}

// main loops and calls work in each round; work takes x and spawns; fac is recursive through x; dead is not called.
struct Program {
  NetworkBuilder builder;
  ControlState p = builder.control("p");
  Lock x = builder.lock("x");
  Lock y = builder.lock("unused");
  Head at(const char* name) { return {p, builder.stack(name)}; }
  Network network = [this] {
    const Action a = builder.action("a");
    builder.label(at("m1").top, "say \"hi\"");
    builder.initial(at("m1"));
    builder.add({at("m1"), a, Call{at("w1"), builder.stack("m2")}});                 // 0
    builder.add({at("m2"), a, Base{at("m1")}});                                      // 1
    builder.add({at("m2"), a, Base{at("m3")}});                                      // 2
    builder.add({at("w1"), a, Monitor{at("v1"), builder.stack("w2"), x}});           // 3
    builder.add({at("w2"), a, Return{p}});                                           // 4
    builder.add({at("v1"), a, Spawn{at("v2"), at("t1")}});                           // 5
    builder.add({at("v2"), a, Return{p}});                                           // 6
    builder.add({at("m3"), a, Spawn{at("m4"), at("t1")}});                           // 7
    builder.add({at("dead1"), a, Monitor{at("dead1"), builder.stack("dead2"), x}});  // 8
    return std::move(builder).build();
  }();
  [[nodiscard]] StackSymbol symbol(const char* name) const { return *network.stack_symbols().find(name); }
};

}  // namespace

TEST_CASE("the statistics of a small program are those counted by hand") {
  const Program program;
  const Statistics found = statistics(program.network);
  CHECK(found.rules_by_kind == std::array<std::size_t, rule_kind_count>{2, 1, 2, 2, 2, 0, 0});
  CHECK(found.locks == 2);
  CHECK(found.locks_used == std::vector<Lock>{program.x});
  CHECK(found.heads == 8);
  CHECK(found.reachable_heads == 7);
  CHECK(found.unreachable_rules == std::vector<RuleId>{RuleId{8}});
  CHECK(found.precision == HeadPrecision::Exact);
  CHECK(found.repeated_spawns == std::vector<RuleId>{RuleId{5}});  // called in a loop; rule 7 is used once, after it
  CHECK(found.monitor_nesting == std::optional<std::size_t>{1});   // dead1 does not count
  CHECK(found.recursive_procedures == 1);

  const auto& table = found.procedures.table;
  REQUIRE(table.size() == 5);  // main, w, v, t, dead
  const Procedure& main = table[ProcedureId{0}];
  CHECK(main.entry == program.symbol("m1"));
  CHECK(main.symbols == std::vector<StackSymbol>{program.symbol("m1"), program.symbol("m2"), program.symbol("m3"),
                                                 program.symbol("m4")});
  CHECK_FALSE(main.called);
  const auto procedure = [&](const char* name) { return *found.procedures.owner[program.symbol(name)]; };
  CHECK(main.calls == std::vector<ProcedureId>{procedure("w1")});
  CHECK(main.spawns == std::vector<ProcedureId>{procedure("t1")});
  CHECK(table[procedure("w2")].calls == std::vector<ProcedureId>{procedure("v1")});
  CHECK(table[procedure("dead2")].recursive);
  CHECK(table[procedure("t1")].spawned);
}

TEST_CASE("procedures and recursion are what their definitions say") {
  std::size_t count = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    CAPTURE(seed);
    const Network network = random_network(seed, {.stacks = 12});
    CAPTURE(to_dpn(network, {}));
    const Procedures found = procedures(network);
    const Relation within = paths(network, {Flow::Within});
    const Relation one_thread = paths(network, {Flow::Within, Flow::Entering});
    CHECK(found.table[ProcedureId{0}].entry == network.initial().top);
    std::size_t listed = 0;
    for (ProcedureId id : found.table.keys()) {
      const Procedure& procedure = found.table[id];
      CHECK(found.owner[procedure.entry] == id);
      CHECK(procedure.recursive == recursive(network, one_thread, procedure.entry));
      count += procedure.recursive ? 1U : 0U;
      for (StackSymbol symbol : procedure.symbols) {
        CHECK(found.owner[symbol] == id);
        CHECK(within[procedure.entry.index()][symbol.index()]);
      }
      listed += procedure.symbols.size();
    }
    for (StackSymbol symbol : network.stack_symbols().keys()) {
      const bool led_to = std::ranges::any_of(
          found.table, [&](const Procedure& procedure) { return within[procedure.entry.index()][symbol.index()]; });
      CHECK(found.owner[symbol].has_value() == led_to);
      listed -= led_to ? 1U : 0U;
    }
    CHECK(listed == 0);
  }
  CHECK(count > 200);
}

TEST_CASE("spawns repeat if executions can use them ever more often") {
  std::size_t repeated = 0;
  std::size_t once = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    CAPTURE(seed);
    const Network network = random_network(seed);
    CAPTURE(to_dpn(network, {}));
    const std::vector<RuleId> found = statistics(network).repeated_spawns;
    const std::size_t size = network.stack_symbols().size();
    for (RuleId id : network.rules().keys()) {
      if (network.rule(id).kind() != RuleKind::Spawn) continue;
      // If the number is bounded, a tree without a repetition on a path has the most. If not, each round of a cycle
      // adds one.
      const std::uint64_t shallow = max_uses(network, id, size + 1);
      const bool unbounded = max_uses(network, id, size * (shallow + 4)) > shallow;
      CHECK((std::ranges::count(found, id) > 0) == unbounded);
      (unbounded ? repeated : once) += shallow > 0 ? 1U : 0U;
    }
  }
  CHECK(repeated > 300);
  CHECK(once > 200);
}

TEST_CASE("the nesting of monitors is the longest walk, or none if walks have no longest") {
  std::size_t unbounded = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    CAPTURE(seed);
    const Network network = random_network(seed, {.rules = 9});
    CAPTURE(to_dpn(network, {}));
    const Relation all = paths(network, {Flow::Within, Flow::Entering, Flow::Spawning});
    const std::size_t size = network.stack_symbols().size();
    const std::size_t shallow = deepest_nesting(network, all, size);
    const bool grows = deepest_nesting(network, all, size * (shallow + 3)) > shallow;
    CHECK(statistics(network).monitor_nesting == (grows ? std::nullopt : std::optional{shallow}));
    unbounded += grows ? 1U : 0U;
  }
  CHECK(unbounded > 100);
  CHECK(unbounded < 1400);
}

TEST_CASE("reachable heads are those that the lock-insensitive semantics reaches") {
  const ExploreBounds small{.configurations = 3000, .stack_depth = 5, .threads = 3};
  std::size_t decided = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    CAPTURE(seed);
    const Network network = with_own_actions(random_network(seed));
    CAPTURE(to_dpn(network, {}));
    const ReachableHeads exact = reachable_heads(network);
    const ReachableHeads rough = reachable_heads(network, 0);
    CHECK(exact.precision == HeadPrecision::Exact);
    CHECK(rough.precision == HeadPrecision::AnyReturns);
    const auto compare = [&](bool found, bool roughly, QueryStep step) {
      const Verdict verdict = explore_query(network, nolocks(std::move(step)), small).verdict;
      if (found) CHECK(roughly);
      if (verdict == Verdict::Unknown) return;
      ++decided;
      CHECK(found == (verdict == Verdict::Reachable));
    };
    for (StackSymbol top : network.stack_symbols().keys())
      compare(exact.tops[top], rough.tops[top], {.positions = {{top}}});
    for (RuleId id : network.rules().keys())
      compare(exact.rules[id], rough.rules[id], {.positions = {}, .requiring = {network.rule(id).action}});
  }
  CHECK(decided > 4000);
}

TEST_CASE("a picture has a cluster per procedure and quotes what it shows") {
  const Program program;
  std::ostringstream out;
  write_dot(out, program.network, procedures(program.network));
  const std::string text = out.str();
  CHECK(text.starts_with("digraph network {\n"));
  CHECK(text.find("label=\"say \\\"hi\\\"\";") != std::string::npos);
  CHECK(text.find("label=\"dead1 (recursive)\";") != std::string::npos);
  CHECK(text.find("label=\"a [x]\", style=bold, fontcolor=\"0.000 0.850 0.700\", color=\"0.000 0.850 0.700\"") !=
        std::string::npos);
  CHECK(text.find("constraint=false, style=dashed") != std::string::npos);
  std::size_t clusters = 0;
  for (std::size_t at = text.find("subgraph"); at != std::string::npos; at = text.find("subgraph", at + 1)) ++clusters;
  CHECK(clusters == 5);
  std::ostringstream titled;
  write_dot(titled, program.network, procedures(program.network), {}, [&](StackSymbol entry) {
    return "to \"" + std::string{program.network.stack_symbols().name(entry)} + '"';
  });
  CHECK(titled.str().find("label=\"to \\\"dead1\\\" (recursive)\";") != std::string::npos);
}

TEST_CASE("edges of pictures tell control states where they matter") {
  NetworkBuilder builder;
  const ControlState nothing = builder.control("0");
  builder.label(nothing, "");
  const ControlState p = builder.control("p");
  const ControlState q = builder.control("q");
  const StackSymbol s = builder.stack("s");
  builder.initial({nothing, s});
  for (const auto& [name, from, to] : {std::tuple{"a", nothing, nothing}, std::tuple{"b", nothing, p},
                                       std::tuple{"c", p, nothing}, std::tuple{"d", p, q}, std::tuple{"e", q, q}})
    builder.add({{from, s}, builder.action(name), Base{{to, s}}});
  const Network network = std::move(builder).build();
  std::ostringstream out;
  write_dot(out, network, procedures(network));
  for (const char* label : {"\"a\"", "\"b (to p)\"", "\"c (from p)\"", "\"d (p to q)\"", "\"e (in q)\""})
    CHECK_MESSAGE(out.str().find("[label=" + std::string{label}) != std::string::npos, label);
}

TEST_CASE("a chain of calls and a chain of steps as long as the input are no problem") {
  NetworkBuilder builder;
  const ControlState p = builder.control("p");
  const Action a = builder.action("a");
  const Lock x = builder.lock("x");
  const auto at = [&](const char* kind, std::size_t i) { return Head{p, builder.stack(kind + std::to_string(i))}; };
  constexpr std::size_t length = 50'000;
  builder.initial(at("c", 0));
  for (std::size_t i = 0; i < length; ++i) {
    builder.add({at("c", i), a, Monitor{at("c", i + 1), at("r", i).top, x}});
    builder.add({at("r", i), a, Return{p}});
    builder.add({at("c", length + i), a, Base{at("c", length + i + 1)}});
  }
  builder.add({at("c", 2 * length), a, Return{p}});
  const Statistics found = statistics(std::move(builder).build());
  CHECK(found.monitor_nesting == std::optional{length});
  CHECK(found.unreachable_rules.empty());
  CHECK(found.procedures.table.size() == length + 1);
  CHECK(found.repeated_spawns.empty());
}
