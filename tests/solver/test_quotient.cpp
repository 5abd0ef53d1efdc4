#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/ids/random.hpp"
#include "dpn/generators/join_program.hpp"
#include "dpn/model/bisimulation.hpp"
#include "dpn/model/network_builder.hpp"
#include "dpn/trees/quotient.hpp"
#include "solver/analyses/solve.hpp"
#include "solver/query/replay_error.hpp"
#include "tests/oracle/wide_model.hpp"

using namespace lockwood;
using namespace lockwood::solver;
using dpn::Action;
using dpn::Network;
using dpn::StackSymbol;

namespace {

// The network with up to three copies of each symbol: rules lead to one or the other.
Network with_copies(const Network& network, std::uint64_t seed) {
  Random random{seed};
  dpn::NetworkBuilder builder{network.symbols()};
  IdVector<StackSymbol, std::vector<StackSymbol>> copies;
  for (StackSymbol symbol : network.stack_symbols().keys()) {
    copies.push_back({symbol});
    for (std::size_t more = random.below(3); more > 0; --more)
      copies[symbol].push_back(
          builder.stack(std::string{network.stack_symbols().name(symbol)} + " copy " + std::to_string(more)));
  }
  const auto any = [&](StackSymbol& symbol) { symbol = copies[symbol][random.below(copies[symbol].size())]; };
  struct Redirect {
    const decltype(any)& other;
    void operator()(dpn::Base& base) const { other(base.to.top); }
    void operator()(dpn::Call& call) const {
      other(call.callee.top);
      other(call.return_point);
    }
    void operator()(dpn::Return&) const {}
    void operator()(dpn::Spawn& spawn) const {
      other(spawn.parent.top);
      other(spawn.child.top);
    }
    void operator()(dpn::Monitor& monitor) const {
      other(monitor.callee.top);
      other(monitor.return_point);
    }
    void operator()(dpn::Join& join) const { other(join.to.top); }
    void operator()(dpn::Forget& forget) const { other(forget.to.top); }
  };
  builder.initial(network.initial());
  for (const dpn::Rule& rule : network.rules())
    for (StackSymbol copy : copies[rule.from.top])
      for (std::size_t times = 1 + random.below(2); times > 0; --times) {
        dpn::Rule redirected = rule;
        redirected.from.top = copy;
        std::visit(Redirect{any}, redirected.effect);
        builder.add(redirected);
      }
  return std::move(builder).build();
}

// The coarsest partition by its definition: one class, split as long as two members of a class have different rules.
IdVector<StackSymbol, std::size_t> naive_classes(const Network& network, const std::set<Action>& told) {
  IdVector<StackSymbol, std::size_t> classes(network.stack_symbols().size(), 0);
  for (std::size_t count = 1;;) {
    const auto seen = [&](dpn::Rule rule) {
      rule.action = told.contains(rule.action) ? rule.action : Action{network.actions().size()};
      std::vector<std::size_t> symbols;
      const auto hide = [&](StackSymbol& symbol) { symbol = StackSymbol{classes[symbol]}; };
      hide(rule.from.top);
      if (auto* base = std::get_if<dpn::Base>(&rule.effect)) hide(base->to.top);
      if (auto* call = std::get_if<dpn::Call>(&rule.effect)) hide(call->callee.top), hide(call->return_point);
      if (auto* spawn = std::get_if<dpn::Spawn>(&rule.effect)) hide(spawn->parent.top), hide(spawn->child.top);
      if (auto* monitor = std::get_if<dpn::Monitor>(&rule.effect))
        hide(monitor->callee.top), hide(monitor->return_point);
      if (auto* join = std::get_if<dpn::Join>(&rule.effect)) hide(join->to.top);
      if (auto* forget = std::get_if<dpn::Forget>(&rule.effect)) hide(forget->to.top);
      return rule;
    };
    std::map<std::pair<std::size_t, std::set<dpn::Rule>>, std::size_t> numbers;
    IdVector<StackSymbol, std::size_t> finer;
    for (StackSymbol symbol : network.stack_symbols().keys()) {
      std::set<dpn::Rule> rules;
      for (dpn::RuleId id : network.rules_at(symbol)) rules.insert(seen(network.rule(id)));
      finer.push_back(numbers.try_emplace({classes[symbol], std::move(rules)}, numbers.size()).first->second);
    }
    if (numbers.size() == count) return classes;
    count = numbers.size();
    classes = std::move(finer);
  }
}

// All symbols of the classes of these.
std::vector<StackSymbol> closed(const dpn::Bisimulation& equal, const std::vector<StackSymbol>& symbols) {
  std::vector<StackSymbol> found;
  for (StackSymbol each : equal.network().stack_symbols().keys())
    for (StackSymbol symbol : symbols)
      if (equal.class_of(each) == equal.class_of(symbol)) {
        found.push_back(each);
        break;
      }
  return found;
}

Problem image(Problem problem, const dpn::Quotient& quotient) {
  for (Phase& phase : problem.phases) {
    for (auto& standing : phase.standing)
      if (standing.tops) standing.tops = quotient.images(*standing.tops);
    for (Action& action : phase.avoiding) action = quotient.image(action);
    for (auto& set : phase.fired)
      for (Action& action : set) action = quotient.image(action);
  }
  return problem;
}

// Cuts weigh nothing.
std::size_t size_without_cuts(const dpn::ExecutionTree& tree) {
  return static_cast<std::size_t>(
      std::ranges::count_if(tree.nodes(), [&](dpn::NodeId node) { return tree.kind(node) != dpn::NodeKind::Cut; }));
}

struct Counts {
  std::size_t reachable = 0;
  std::size_t unreachable = 0;
  std::size_t smaller = 0;  // quotients with fewer symbols than the network had without copies
  std::size_t told_later = 0;
};

void compare(const Network& plain, const dpn::Query& query, std::uint64_t seed, Counts& counts) {
  const Network network = with_copies(plain, seed);
  Problem problem = problem_of(query);
  std::set<Action> told;
  for (const Phase& phase : problem.phases) {
    told.insert(phase.avoiding.begin(), phase.avoiding.end());
    for (const auto& set : phase.fired) told.insert(set.begin(), set.end());
  }
  // At once, or one after the other: the coarsest partition is the same.
  const dpn::Bisimulation nothing_told{network};
  const std::vector<Action> actions{told.begin(), told.end()};
  dpn::Bisimulation equal = nothing_told.telling_apart(actions);
  if (actions.size() > 1) {
    dpn::Bisimulation one_by_one = nothing_told;
    for (Action action : actions) one_by_one = one_by_one.telling_apart({&action, 1});
    CHECK(one_by_one.size() == equal.size());
    ++counts.told_later;
    equal = std::move(one_by_one);
  }
  const auto naive = naive_classes(network, told);
  std::map<std::size_t, dpn::SymbolClass> pairs;
  for (StackSymbol symbol : network.stack_symbols().keys())
    CHECK(pairs.try_emplace(naive[symbol], equal.class_of(symbol)).first->second == equal.class_of(symbol));
  CHECK(pairs.size() == equal.size());

  for (Phase& phase : problem.phases)
    for (auto& standing : phase.standing)
      if (standing.tops) standing.tops = closed(equal, *standing.tops);
  const dpn::Quotient quotient{equal};
  CHECK(quotient.network().stack_symbols().size() == equal.size());
  if (equal.size() < plain.stack_symbols().size()) ++counts.smaller;
  const Answer original = solve(network, problem);
  const Answer merged = solve(quotient.network(), image(problem, quotient));
  CHECK(merged.verdict == original.verdict);
  ++(original.verdict == dpn::Verdict::Reachable ? counts.reachable : counts.unreachable);
  CHECK(merged.witness.has_value() == original.witness.has_value());
  if (!merged.witness || !original.witness) return;
  if (merged.witness->best && original.witness->best)
    CHECK(size_without_cuts(merged.witness->tree) == size_without_cuts(original.witness->tree));
  const dpn::Schedule lifted = quotient.lifted(merged.witness->schedule, problem.semantics);
  const auto error = problem::replay_error(network, problem, lifted);
  CHECK_MESSAGE(!error, *error);
}

}  // namespace

TEST_CASE("a quotient has the answers of the network, and schedules are lifted") {
  Counts counts;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    const Network plain = oracle::wide_network(seed);
    for (std::uint64_t question = 0; question < 2; ++question)
      compare(plain, oracle::wide_query(plain, 2 * seed + question), seed, counts);
  }
  MESSAGE("reachable: ", counts.reachable, ", unreachable: ", counts.unreachable, ", smaller: ", counts.smaller,
          ", told one by one: ", counts.told_later);
  CHECK(counts.reachable > 100);
  CHECK(counts.unreachable > 100);
  CHECK(counts.smaller > 50);
  CHECK(counts.told_later > 100);
}

TEST_CASE("a quotient has the answers of a network with joins") {
  Counts counts;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    const Network plain = dpn::join_program(seed);
    compare(plain, dpn::join_query(plain, seed), seed, counts);
  }
  CHECK(counts.reachable > 40);
  CHECK(counts.unreachable > 40);
}

TEST_CASE("actions that are told apart keep symbols apart") {
  dpn::NetworkBuilder builder;
  const auto head = [&](const char* top) { return dpn::Head{builder.control("p"), builder.stack(top)}; };
  builder.initial(head("begin"));
  builder.add({head("begin"), builder.action("x"), dpn::Base{head("left")}});
  builder.add({head("begin"), builder.action("y"), dpn::Base{head("right")}});
  builder.add({head("left"), builder.action("read"), dpn::Base{head("end")}});
  builder.add({head("right"), builder.action("write"), dpn::Base{head("end")}});
  const Action write = builder.action("write");
  const StackSymbol left = builder.stack("left");
  const StackSymbol right = builder.stack("right");
  const Network network = std::move(builder).build();
  const dpn::Bisimulation equal{network};
  CHECK(equal.size() == 3);
  CHECK(equal.class_of(left) == equal.class_of(right));
  const dpn::Bisimulation apart = equal.telling_apart({&write, 1});
  CHECK(apart.size() == 4);
  CHECK(apart.class_of(left) != apart.class_of(right));
  const dpn::Quotient quotient{apart};
  CHECK(quotient.network().rules().size() == 4);
  CHECK(quotient.network().actions().name(quotient.image(write)) == "write");
  CHECK(dpn::Quotient{equal}.network().rules().size() == 2);
}
