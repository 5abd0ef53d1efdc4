#include "tests/oracle/solver/random_problem.hpp"

#include "dpn/model/network_builder.hpp"
#include "treeauto/automaton/automaton_builder.hpp"

namespace lockwood::solver {
namespace {

class Generator {
 public:
  Generator(const dpn::Network& network, std::uint64_t seed) : network_{network}, random_{seed ^ 0x7F4A7C15} {}

  Problem problem() {
    Problem problem;
    if (one_in(6)) problem.semantics = dpn::Semantics::LockInsensitive;
    if (one_in(3)) problem.collect = collect();
    goals_left_ = problem.collect ? 2 : 4;
    const std::size_t phases = 1 + random_.below(3);
    for (std::size_t i = 0; i < phases; ++i) problem.phases.push_back(phase());
    return problem;
  }

 private:
  bool one_in(std::size_t n) { return random_.below(n) == 0; }
  dpn::StackSymbol top() { return dpn::StackSymbol{random_.below(network_.stack_symbols().size())}; }
  dpn::Action action() { return dpn::Action{random_.below(network_.actions().size())}; }
  dpn::Lock lock() { return dpn::Lock{random_.below(network_.locks().size())}; }

  std::vector<dpn::StackSymbol> tops() {
    std::vector<dpn::StackSymbol> set{top()};
    if (one_in(3)) set.push_back(top());
    return set;
  }
  StandGoal goal() {
    StandGoal goal;
    const bool locks = network_.locks().size() > 0;
    if (locks && one_in(5)) goal.holding = lock();
    if (locks && one_in(5)) goal.wanting = lock();
    if ((!goal.holding && !goal.wanting) || one_in(2)) goal.tops = tops();
    return goal;
  }
  Phase phase() {
    Phase phase;
    const std::size_t goals = one_in(6) ? 0 : 1 + random_.below(one_in(2) ? 1 : 3);
    for (std::size_t i = 0; i < goals && goals_left_ > 0; ++i, --goals_left_) phase.standing.push_back(goal());
    if (one_in(3)) phase.avoiding.push_back(action());
    for (; one_in(3) && goals_left_ > 0; --goals_left_) phase.fired.push_back({action()});
    return phase;
  }
  Collect collect() {
    Collect collect;
    const std::size_t sets = 1 + random_.below(2);
    for (std::size_t i = 0; i < sets; ++i) {
      auto& among = collect.among.emplace_back();
      for (dpn::StackSymbol symbol : network_.stack_symbols().keys())
        if (sets == 1 || !one_in(4)) among.push_back(symbol);
      if (among.empty()) among.push_back(top());
    }
    return collect;
  }

  const dpn::Network& network_;
  Random random_;
  std::size_t goals_left_ = 0;  // many goals make few models slow and find nothing new
};

}  // namespace

Problem random_problem(const dpn::Network& network, std::uint64_t seed) { return Generator{network, seed}.problem(); }

Problem in_three_phases(const dpn::Network& network, Problem problem, std::uint64_t seed) {
  Random random{seed};
  problem.phases.resize(3);
  for (Phase& phase : problem.phases) {
    phase.avoiding.clear();
    for (dpn::Action action : network.actions().keys())
      if (random.percent(30)) phase.avoiding.push_back(action);
    if (phase.standing.size() > 1) phase.standing.pop_back();
  }
  return problem;
}

dpn::Network with_own_actions(const dpn::Network& network) {
  dpn::NetworkBuilder builder{network.symbols()};
  builder.initial(network.initial());
  for (dpn::RuleId id : network.rules().keys()) {
    dpn::Rule rule = network.rule(id);
    rule.action = builder.action("r" + std::to_string(id.index()));
    builder.add(rule);
  }
  return std::move(builder).build();
}

Problem requiring_rules(const dpn::Network& network, std::uint64_t seed) {
  Random random{seed};
  const auto rule = [&] { return dpn::RuleId{random.below(network.rules().size())}; };
  const auto required = [&] {  // regions are where there is most to get wrong
    dpn::RuleId id = rule();
    for (std::size_t i = 0; i < 3 && network.rule(id).kind() != dpn::RuleKind::Monitor; ++i) id = rule();
    return network.rule(id).action;
  };
  Problem problem;
  problem.phases.resize(1 + random.below(3));
  const auto phase = [&]() -> Phase& { return problem.phases[random.below(problem.phases.size())]; };
  for (std::size_t goals = random.below(3); goals > 0; --goals)
    phase().standing.push_back({.tops = std::vector{dpn::StackSymbol{random.below(network.stack_symbols().size())}}});
  for (std::size_t count = 1 + random.below(2); count > 0; --count) phase().fired.push_back({required()});
  if (random.percent(30)) phase().avoiding.push_back(network.rule(rule()).action);
  return problem;
}

treeauto::Automaton random_observer(const dpn::TreeAlphabet& alphabet, Random& random) {
  treeauto::AutomatonBuilder builder{alphabet.symbols()};
  builder.add_states(3);
  const auto state = [&] { return treeauto::State{random.below(3)}; };
  builder.set_final(state());
  for (treeauto::Symbol symbol : alphabet.symbols().symbols()) {
    const std::size_t rank = alphabet.symbols().rank(symbol);
    for (std::size_t i = 0; i < 1 + 2 * rank; ++i) {
      std::vector<treeauto::State> children;
      for (std::size_t child = 0; child < rank; ++child) children.push_back(state());
      builder.add(symbol, children, state());
    }
  }
  return std::move(builder).build();
}

Problem observed(const dpn::Network& network, Problem problem, std::uint64_t seed) {
  const auto alphabet = std::make_shared<dpn::TreeAlphabet>(network);
  Random random{seed};
  problem.phases[random.below(problem.phases.size())].observers.push_back(
      std::make_shared<Observer>(alphabet, random_observer(*alphabet, random), "observer"));
  return problem;
}

}  // namespace lockwood::solver
