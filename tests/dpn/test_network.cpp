#include <doctest/doctest.h>

#include <random>

#include "dpn/model/network_builder.hpp"

using namespace lockwood;
using namespace lockwood::dpn;

namespace {

Network random_network(std::uint64_t seed) {
  std::mt19937_64 random{seed};
  NetworkBuilder builder;
  const auto head = [&] {
    return Head{builder.control("p" + std::to_string(random() % 3)), builder.stack("g" + std::to_string(random() % 6))};
  };
  builder.initial(head());
  const Action action = builder.action("a");
  for (int i = 0; i < 30; ++i) builder.add({head(), action, Base{head()}});
  return std::move(builder).build();
}

}  // namespace

TEST_CASE("rules are indexed by head as the definition says") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    const Network network = random_network(seed);
    for (ControlState control : network.control_states().keys())
      for (StackSymbol top : network.stack_symbols().keys()) {
        std::vector<RuleId> expected;
        for (RuleId id : network.rules().keys())
          if (network.rule(id).from == Head{control, top}) expected.push_back(id);
        const auto found = network.rules_from({control, top});
        CHECK(std::vector<RuleId>(found.begin(), found.end()) == expected);
      }
  }
}

TEST_CASE("a rule that is added twice is there once, with a warning") {
  NetworkBuilder builder;
  const Head head{builder.control("p"), builder.stack("g")};
  builder.initial(head);
  builder.add({head, builder.action("a"), Base{head}});
  builder.add({head, builder.action("b"), Base{head}});
  builder.add({head, builder.action("a"), Base{head}}, Position{7, 3});
  CHECK(builder.review().errors.empty());
  CHECK(builder.review().warnings == std::vector<Mistake>{{"the rule is there already", Position{7, 3}}});
  CHECK(std::move(builder).build().rules().size() == 2);
}

TEST_CASE("all problems of a network are reported, not the first") {
  NetworkBuilder builder;
  const Head head{builder.control("p"), builder.stack("g")};
  builder.label(head.top, "start");
  builder.label(head.top, "begin", Position{2, 1});
  builder.add({head, Action{5}, Base{head}}, Position{3, 1});
  builder.add({head, builder.action("a"), Monitor{head, StackSymbol{9}, Lock{0}}}, Position{4, 1});
  const std::vector<Mistake> expected{{"stack symbol 'g' is named twice", Position{2, 1}},
                                      {"no initial configuration", {}},
                                      {"unknown action number 5", Position{3, 1}},
                                      {"unknown stack symbol number 9", Position{4, 1}},
                                      {"unknown lock number 0", Position{4, 1}}};
  CHECK(builder.review().errors == expected);
  CHECK_THROWS_AS((void)std::move(builder).build(), InvalidNetwork);
}

TEST_CASE("labels are shown in place of names") {
  NetworkBuilder builder;
  const Head head{builder.control("p"), builder.stack("g")};
  builder.initial(head);
  builder.label(head.top, "x = 1;");
  const StackSymbol other = builder.stack("h");
  const Network network = std::move(builder).build();
  CHECK(network.stack_symbols().shown(head.top) == "x = 1;");
  CHECK(network.stack_symbols().shown(other) == "h");
  CHECK_FALSE(network.stack_symbols().label(other).has_value());
}
