#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "dpn/model/network_builder.hpp"
#include "tests/oracle/base/call_sequence.hpp"

// A NetworkBuilder under random sequences of calls, beside a model that keeps plain lists.

using namespace lockwood;
using namespace lockwood::dpn;
using lockwood::testing::AnyCall;
using lockwood::testing::CallSequence;

namespace {

// What the builder should have been told. Ids may be of no symbol, as those of another builder would be.
struct Told {
  std::vector<std::string> controls;
  std::vector<std::string> stacks;
  std::vector<std::string> actions;
  std::vector<std::string> locks;
  std::map<std::size_t, std::string> labels;  // of stack symbols
  std::vector<Head> initial;
  std::vector<Rule> rules;  // without repetitions
  std::size_t wrong_labels = 0;

  [[nodiscard]] bool knows(Head head) const {
    return head.control.index() < controls.size() && head.top.index() < stacks.size();
  }
  [[nodiscard]] bool knows(const Rule& rule) const {
    const auto all = [&](const auto&... heads) { return (knows(heads) && ...); };
    return knows(rule.from) && rule.action.index() < actions.size() &&
           std::visit(
               [&](const auto& effect) {
                 using Kind = std::decay_t<decltype(effect)>;
                 if constexpr (std::is_same_v<Kind, Base> || std::is_same_v<Kind, Join> || std::is_same_v<Kind, Forget>)
                   return all(effect.to);
                 if constexpr (std::is_same_v<Kind, Return>) return effect.to.index() < controls.size();
                 if constexpr (std::is_same_v<Kind, Spawn>) return all(effect.parent, effect.child);
                 if constexpr (std::is_same_v<Kind, Call>)
                   return all(effect.callee) && effect.return_point.index() < stacks.size();
                 if constexpr (std::is_same_v<Kind, Monitor>)
                   return all(effect.callee) && effect.return_point.index() < stacks.size() &&
                          effect.lock.index() < locks.size();
               },
               rule.effect);
  }
  [[nodiscard]] bool makes_a_network() const {
    return initial.size() == 1 && knows(initial.front()) && wrong_labels == 0 &&
           std::ranges::all_of(rules, [&](const Rule& rule) { return knows(rule); });
  }
};

std::size_t named(std::vector<std::string>& names, const std::string& name) {
  const auto place = std::ranges::find(names, name);
  if (place != names.end()) return static_cast<std::size_t>(place - names.begin());
  names.push_back(name);
  return names.size() - 1;
}

// One of the ids there are, sometimes the next one, which there is not.
template <class Key>
Key any(const std::vector<std::string>& names, std::size_t choice) {
  const bool wrong = names.empty() || choice % 197 == 0;
  return Key{wrong ? names.size() : choice % names.size()};
}

Rule any_rule(const Told& told, const AnyCall& call) {
  const auto head = [&](std::size_t choice) {
    return Head{any<ControlState>(told.controls, choice / 7), any<StackSymbol>(told.stacks, choice)};
  };
  const auto point = any<StackSymbol>(told.stacks, call.d);
  const Effect effects[] = {Base{head(call.c)}, Return{any<ControlState>(told.controls, call.c)},
                            Spawn{head(call.c), head(call.d)}, Call{head(call.c), point},
                            Monitor{head(call.c), point, any<Lock>(told.locks, call.b / 3)}};
  return {head(call.a), any<Action>(told.actions, call.b), effects[(call.a + call.d) % 5]};
}

// Makes the call on both; says how their replies differ.
std::optional<std::string> make(NetworkBuilder& builder, Told& told, const AnyCall& call) {
  const std::string name = "n" + std::to_string(call.b % 4);
  if (call.kind < 5) {
    const auto [real, expected] = [&]() -> std::pair<std::size_t, std::size_t> {
      switch (call.a % 4) {
        case 0: return {builder.control(name).index(), named(told.controls, name)};
        case 1: return {builder.stack(name).index(), named(told.stacks, name)};
        case 2: return {builder.action(name).index(), named(told.actions, name)};
        default: return {builder.lock(name).index(), named(told.locks, name)};
      }
    }();
    if (real != expected) return "a symbol has another number";
  } else if (call.kind == 5) {
    const auto symbol = any<StackSymbol>(told.stacks, call.a);
    const std::string text = call.b % 2 == 0 ? "one" : "two";
    builder.label(symbol, text);
    const bool unknown = symbol.index() >= told.stacks.size();
    if (unknown || !told.labels.emplace(symbol.index(), text).second) ++told.wrong_labels;
  } else if (call.kind == 6) {
    const Head head{any<ControlState>(told.controls, call.a), any<StackSymbol>(told.stacks, call.b)};
    builder.initial(head);
    told.initial.push_back(head);
  } else {
    const Rule rule = any_rule(told, call);
    builder.add(rule);
    if (std::ranges::find(told.rules, rule) == told.rules.end()) told.rules.push_back(rule);
  }
  return std::nullopt;
}

template <class Key>
bool same_names(const Vocabulary<Key>& real, const std::vector<std::string>& told) {
  return real.size() == told.size() &&
         std::ranges::all_of(real.keys(), [&](Key key) { return real.name(key) == told[key.index()]; });
}

std::optional<std::string> difference(const Network& network, const Told& told) {
  if (!same_names(network.control_states(), told.controls) || !same_names(network.stack_symbols(), told.stacks) ||
      !same_names(network.actions(), told.actions) || !same_names(network.locks(), told.locks))
    return "the network has other symbols";
  if (network.initial() != told.initial.front()) return "the network begins elsewhere";
  if (!std::ranges::equal(network.rules(), told.rules)) return "the network has other rules";
  for (StackSymbol symbol : network.stack_symbols().keys()) {
    const auto label = told.labels.find(symbol.index());
    if (network.stack_symbols().label(symbol) !=
        (label == told.labels.end() ? std::nullopt : std::optional<std::string_view>{label->second}))
      return "a symbol has another label";
    for (ControlState control : network.control_states().keys())
      for (RuleId rule : network.rules_from({control, symbol}))
        if (network.rule(rule).from != Head{control, symbol}) return "a rule is found at another head";
  }
  return std::nullopt;
}

std::optional<std::string> difference_after(const CallSequence& calls) {
  NetworkBuilder builder;
  Told told;
  for (const AnyCall& call : calls)
    if (auto differ = make(builder, told, call)) return differ;
  if (builder.review().errors.empty() != told.makes_a_network()) return "the review and the model disagree";
  try {
    const Network network = std::move(builder).build();
    if (!told.makes_a_network()) return "there is a network";
    return difference(network, told);
  } catch (const InvalidNetwork& error) {
    if (told.makes_a_network()) return std::string{"there is no network: "} + error.what();
    if (error.mistakes().empty()) return "no mistake is named";
  }
  return std::nullopt;
}

}  // namespace

TEST_CASE("a builder makes what it was told, or says that it cannot, after any calls") {
  std::size_t networks = 0;
  const auto counted = [&](const CallSequence& calls) {
    Told told;
    NetworkBuilder builder;
    for (const AnyCall& call : calls) (void)make(builder, told, call);
    if (told.makes_a_network()) ++networks;
    return difference_after(calls);
  };
  const auto found = lockwood::testing::first_difference(4000, 10, 30, counted);
  CHECK_MESSAGE(!found, *found);
  CHECK(networks > 100);
}

TEST_CASE("a difference is shrunk to the calls that make it") {
  const auto fails = [](const CallSequence& calls) {
    const auto has = [&](std::size_t kind) {
      return std::ranges::any_of(calls, [&](const AnyCall& c) { return c.kind == kind; });
    };
    return has(1) && has(3) ? std::optional<std::string>{"both"} : std::nullopt;
  };
  const CallSequence calls = lockwood::testing::random_calls(1, 6, 200);
  REQUIRE(calls.size() > 20);
  CHECK(lockwood::testing::shrunk(calls, fails).size() == 2);
}
