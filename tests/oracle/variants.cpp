#include "tests/oracle/variants.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "base/ids/random.hpp"
#include "dpn/model/network_builder.hpp"

namespace lockwood::oracle {

using dpn::Action;
using dpn::ControlState;
using dpn::Head;
using dpn::Lock;
using dpn::Network;
using dpn::Rule;
using dpn::StackSymbol;

namespace {

struct Changes {
  bool order = false;
  bool names = false;
  bool copy = false;
  bool lock = false;
  bool dead_rule = false;
};

template <class T>
void shuffle(std::vector<T>& values, Random& random) {
  for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[random.below(i)]);
}

class Changing {
 public:
  Changing(const Network& network, const Changes& changes, std::uint64_t seed)
      : network_{network}, changes_{changes}, random_{seed} {}

  Variant variant(std::string name) {
    // Symbols get their numbers in the order in which they are named.
    if (changes_.dead_rule && changes_.names) add_dead_rule();
    if (changes_.lock && changes_.names) (void)builder_.lock("unused");
    const auto controls =
        renamed(network_.control_states(), "c", [&](const auto& text) { return builder_.control(text); });
    const auto stacks = renamed(network_.stack_symbols(), "s", [&](const auto& text) { return builder_.stack(text); });
    const auto actions = renamed(network_.actions(), "d", [&](const auto& text) { return builder_.action(text); });
    const auto locks = renamed(network_.locks(), "l", [&](const auto& text) { return builder_.lock(text); });
    for (dpn::Group group : network_.groups().keys()) (void)builder_.group(network_.groups().name(group));
    if (changes_.lock && !changes_.names) (void)builder_.lock("unused");

    const auto head = [&](Head old) { return Head{controls[old.control], stacks[old.top]}; };
    builder_.initial(head(network_.initial()));
    std::vector<Rule> rules;
    for (const Rule& rule : network_.rules())
      rules.push_back({head(rule.from), actions[rule.action], effect(rule, head, controls, stacks, locks)});
    IdVector<Action, std::vector<Action>> meanings;
    for (Action action : network_.actions().keys()) meanings.push_back({actions[action]});
    if (changes_.copy && !rules.empty()) {
      const std::size_t chosen = random_.below(rules.size());
      Rule copy = rules[chosen];
      copy.action = builder_.action("twin");
      meanings[network_.rule(dpn::RuleId{chosen}).action].push_back(copy.action);
      rules.push_back(copy);
    }
    if (changes_.order) shuffle(rules, random_);
    for (const Rule& rule : rules) builder_.add(rule);
    if (changes_.dead_rule && !changes_.names) add_dead_rule();
    return {std::move(name), std::move(builder_).build(), stacks, locks, std::move(meanings)};
  }

 private:
  // Under its own name, or else under another one, in any order.
  template <class Key, class Name>
  IdVector<Key, Key> renamed(const dpn::Vocabulary<Key>& vocabulary, const std::string& prefix, const Name& name) {
    IdVector<Key, Key> result(vocabulary.size(), Key{0});
    std::vector<Key> keys{vocabulary.keys().begin(), vocabulary.keys().end()};
    if (changes_.names) shuffle(keys, random_);
    for (std::size_t i = 0; i < keys.size(); ++i)
      result[keys[i]] = name(changes_.names ? prefix + std::to_string(i) : std::string{vocabulary.name(keys[i])});
    return result;
  }

  template <class Translate>
  static dpn::Effect effect(const Rule& rule, const Translate& head,
                            const IdVector<ControlState, ControlState>& controls,
                            const IdVector<StackSymbol, StackSymbol>& stacks, const IdVector<Lock, Lock>& locks) {
    switch (rule.kind()) {
      case dpn::RuleKind::Base: return dpn::Base{head(std::get<dpn::Base>(rule.effect).to)};
      case dpn::RuleKind::Return: return dpn::Return{controls[std::get<dpn::Return>(rule.effect).to]};
      case dpn::RuleKind::Spawn: {
        const auto& spawn = std::get<dpn::Spawn>(rule.effect);
        return dpn::Spawn{head(spawn.parent), head(spawn.child), spawn.memberships};
      }
      case dpn::RuleKind::Call: {
        const auto& call = std::get<dpn::Call>(rule.effect);
        return dpn::Call{head(call.callee), stacks[call.return_point], call.opening};
      }
      case dpn::RuleKind::Join: {
        const auto& join = std::get<dpn::Join>(rule.effect);
        return dpn::Join{head(join.to), join.groups};
      }
      case dpn::RuleKind::Forget: {
        const auto& forget = std::get<dpn::Forget>(rule.effect);
        return dpn::Forget{head(forget.to), forget.groups};
      }
      case dpn::RuleKind::Monitor: break;
    }
    const auto& monitor = std::get<dpn::Monitor>(rule.effect);
    return dpn::Monitor{head(monitor.callee), stacks[monitor.return_point], locks[monitor.lock], monitor.opening};
  }

  // It takes a lock of its own and goes nowhere.
  void add_dead_rule() {
    const ControlState control = builder_.control("nowhere");
    const Head nowhere{control, builder_.stack("nowhere")};
    builder_.add({nowhere, builder_.action("nothing"),
                  dpn::Monitor{nowhere, builder_.stack("nowhere"), builder_.lock("of nowhere")}});
  }

  const Network& network_;
  Changes changes_;
  Random random_;
  dpn::NetworkBuilder builder_;
};

}  // namespace

std::vector<Variant> variants_of(const Network& network, std::uint64_t seed) {
  const auto changed = [&](std::string name, const Changes& changes) {
    return Changing{network, changes, seed}.variant(std::move(name));
  };
  return {changed("the rules are in another order", {.order = true}),
          changed("the symbols have other names", {.names = true}),
          changed("a rule is there twice", {.copy = true}),
          changed("there is a lock that nobody uses", {.lock = true}),
          changed("there is a rule that nobody reaches", {.dead_rule = true}),
          changed("all of these", {.order = true, .names = true, .copy = true, .lock = true, .dead_rule = true})};
}

std::vector<Action> translated(const Variant& variant, const std::vector<Action>& actions) {
  std::vector<Action> result;
  for (Action action : actions)
    result.insert(result.end(), variant.actions[action].begin(), variant.actions[action].end());
  std::ranges::sort(result);
  return result;
}

dpn::Query translated(const Variant& variant, const dpn::Query& query) {
  dpn::Query result = query;
  for (dpn::QueryStep& step : result.steps) {
    for (auto& set : step.positions) {
      for (StackSymbol& symbol : set) symbol = variant.stacks[symbol];
      std::ranges::sort(set);
    }
    step.avoiding = translated(variant, step.avoiding);
    step.requiring = translated(variant, step.requiring);
  }
  assert(result.steps.size() == query.steps.size());
  return result;
}

}  // namespace lockwood::oracle
